/** Examples at the end of the help of each command: usual calls, and what they do. */
import { calledAs } from './called-as.ts';

type Example = readonly [words: string, does: string];

/** By the words that name the command; `''` is the program itself. */
export const examples: Readonly<Record<string, readonly Example[]>> = {
  '': [
    ['', 'checks the embedded reference service'],
    ['--target acme.yaml', 'checks the service that a profile describes'],
  ],
  run: [
    ['run --base-url https://sandbox.example.com', 'a first look; the token is in ESIGN_TOKEN'],
    ['run --target acme.yaml --only otp,upload.pdf', 'one area and one requirement'],
    ['run --target acme.yaml --deviations deviations.yaml', 'known failures do not gate'],
    ['run --target acme.yaml --target next.yaml', 'one after the other, and side by side'],
    ['run --target acme.yaml --thorough', 'and then every situation'],
    ['run --target acme.yaml --checks acme', 'with requirements of your own, counted apart'],
  ],
  explore: [
    ['explore --target acme.yaml --time 2m', 'two minutes of random sequences'],
    [
      'explore --target acme.yaml --replay-sequence reproduce/signing.parallel.sequence.json',
      'one of them again',
    ],
  ],
  list: [
    ['list', 'one line for each requirement and each gap where no terminal reads it'],
    ['list --json', 'the same for programs'],
  ],
  probe: [
    ['probe --base-url https://sandbox.example.com --out acme.yaml', 'drafts a profile'],
    ['probe --target acme.yaml --out acme.yaml --force', 'again, with what you have filled in'],
  ],
  login: [
    ['login --target acme.yaml', 'prints the address to log in at'],
    ['login --target acme.yaml --open', 'opens it in a browser'],
  ],
  cleanup: [
    ['cleanup reports/out --target acme.yaml', 'the calls of the profile remove what the run left'],
    ['cleanup reports/out --target acme.yaml --of-others', 'also what a run of somebody else left'],
  ],
  serve: [
    ['serve --port 4010', 'prints address, tokens and first steps'],
    ['serve --port 4010 --fault otp.sms/refused', 'breaks one rule on purpose'],
    ['serve --port 4010 --dialect uploadStatus=201', 'fills a gap in another way'],
  ],
  compare: [
    ['compare reports/may reports/june', 'what changed between two runs'],
    ['compare reports/out --accept --out baseline.json', 'keeps a run as the baseline'],
  ],
  deviations: [
    ['deviations draft reports/out --out deviations.yaml', 'accepts the failures of a run'],
    ['deviations prune reports/out --file deviations.yaml', 'forgets what is mended'],
  ],
  'deviations draft': [
    ['deviations draft reports/out', 'prints the entries'],
    ['deviations draft reports/out --out deviations.yaml', 'writes them'],
  ],
  'deviations prune': [
    ['deviations prune reports/out --file deviations.yaml', 'after the usual run'],
    ['deviations prune reports/nightly --file deviations.yaml', 'after a run in another folder'],
  ],
  report: [
    ['report reports/out', 'writes the files of a run anew, without a call'],
    ['report reports/out --ticket otp.sms --out case', 'a folder to send to the vendor'],
    ['report shard-1 shard-2 --out reports/out', 'one run of two halves'],
  ],
};

export function examplesOf(command: string): string {
  const lines = (examples[command] ?? []).map(([words, does]) => `  # ${does}\n  ${commandFor(words)}`);
  return `\nExamples:\n${lines.join('\n')}`;
}

function commandFor(words: string): string {
  return words === '' ? calledAs().replace(/ --$/, '') : `${calledAs()} ${words}`;
}
