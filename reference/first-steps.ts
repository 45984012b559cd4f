/** The first steps with the service as lines for a shell; later lines use the answers to earlier ones. */
import { authorType, path } from '../openapi/codes.ts';

interface Reached {
  readonly baseUrl: string;
  readonly tokens: { readonly valid: string };
}

/** The lines, from an upload to the callbacks of a completed request. They work as they are, in this order. */
export function firstSteps({ baseUrl, tokens }: Reached): string {
  const pick = (field: string) => `sed 's/.*"${field}":"\\([^"]*\\)".*/\\1/'`;
  const json = "-H 'Content-Type: application/json'";
  const signatories = path.signatories.replace('{requestId}', '$REQUEST');
  return [
    `BASE='${baseUrl}'`,
    `AUTH='Authorization: Bearer ${tokens.valid}'`,
    '# a document, and its upload',
    'curl -sS -o contract.pdf "$BASE/_contract.pdf"',
    `DOCUMENT=$(curl -sS -H "$AUTH" -F file=@contract.pdf "$BASE${path.upload}" | ${pick('documentToken')})`,
    '# a signature request, and two people who sign one after the other',
    `REQUEST=$(curl -sS -H "$AUTH" ${json} -d '{"Title":"Contract","Message":"Please sign","Documents":["'$DOCUMENT'"],"CallbackUrl":"'$BASE'/_control/callbacks","CallbackTypes":[0],"AuditDetails":{"AuthorType":${authorType.adminOrSystem},"AuthorIPAddress":"203.0.113.10","Device":"curl"}}' "$BASE${path.skeleton}?type=0" | ${pick('requestId')})`,
    `for WHO in 1:Ann 2:Bob; do curl -sS -H "$AUTH" ${json} -d '{"Email":"'\${WHO#*:}'@example.com","Name":"'\${WHO#*:}'","Order":'\${WHO%:*}',"SignatoryType":1,"OTP":{"IsRequired":false,"Type":1}}' "$BASE${signatories}"; echo; done`,
    `curl -sS -H "$AUTH" -X POST "$BASE${path.skeleton}/$REQUEST/send"; echo`,
    '# the messages to them: in a browser at /_outbox, or',
    'curl -sS "$BASE/_outbox.json?requestId=$REQUEST"; echo',
    '# they sign: on the pages of their links, or',
    `for WHO in Ann Bob; do curl -sS -H "$AUTH" ${json} -d '{"person":"'$WHO'@example.com","act":"sign"}' "$BASE/_control/act"; done`,
    '# the request when it is completed, and its callbacks',
    'curl -sS -H "$AUTH" "$BASE/_control/requests?requestId=$REQUEST&state=completed"; echo',
    'curl -sS -H "$AUTH" "$BASE/_control/deliveries?requestId=$REQUEST"; echo',
  ].join('\n');
}
