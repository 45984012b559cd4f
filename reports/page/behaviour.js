/** The script of the report: search, filter, fold, copy and links into what is folded. The page can be read without it. */
const entries = [...document.querySelectorAll('.requirement, .gap')];
const finder = document.getElementById('finder');
const words = document.getElementById('words');
const found = document.getElementById('found');
const onlyMusts = document.getElementById('only-musts');
const verdicts = [...finder.querySelectorAll('[name=verdict]')];
const texts = new Map();

/** All that an entry says, in small letters; worked out when somebody searches. */
function textOf(entry) {
  if (!texts.has(entry)) texts.set(entry, `${entry.id} ${entry.textContent}`.toLowerCase());
  return texts.get(entry);
}

function apply() {
  const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = verdicts.filter((each) => each.checked).map((each) => each.value);
  const narrowed = onlyMusts.checked || shown.length < verdicts.length;
  for (const entry of entries) {
    // Open questions have no verdict: whoever asks for some verdicts does not ask for them.
    const fits = entry.matches('.requirement')
      ? shown.some((verdict) => entry.classList.contains(verdict)) &&
        (!onlyMusts.checked || entry.matches('.must'))
      : !narrowed;
    entry.hidden = !(fits && wanted.every((word) => textOf(entry).includes(word)));
  }
  const filtering = narrowed || wanted.length > 0;
  for (const part of document.querySelectorAll('main > section')) {
    const own = part.querySelectorAll('.requirement, .gap');
    part.hidden = filtering && [...own].every((entry) => entry.hidden);
  }
  const of = (name) => {
    const all = entries.filter((entry) => entry.classList.contains(name));
    return `${all.filter((entry) => !entry.hidden).length} of ${all.length}`;
  };
  found.textContent = filtering ? `${of('requirement')} requirements, ${of('gap')} open questions` : '';
}

/** Opens what is around the target of the address, and takes a filter away that hides it. */
function reveal() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  if (target.closest('[hidden]')) finder.reset();
  for (let at = target; at; at = at.parentElement) if (at instanceof HTMLDetailsElement) at.open = true;
  const within = target.matches('.gap') && target.querySelector('details');
  if (within) within.open = true;
  // Filters that give way, later than this, move what is below them.
  setTimeout(() => target.scrollIntoView());
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // No permission, or a browser that has no clipboard for files: the older way.
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
}

function copyButton(label, text) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = label;
  button.addEventListener('click', async () => {
    await copy(text());
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = label;
    }, 2000);
  });
  return button;
}

/** Buttons come when they can be seen first: there are many. */
function equip(details) {
  if (details.classList.contains('script') && !details.querySelector('.copy')) {
    const pre = details.querySelector('pre');
    pre.before(copyButton('Copy', () => pre.textContent));
  }
  const here = details.classList.contains('requirement') && details.querySelector('.here');
  if (here && !here.nextElementSibling)
    here.after(
      ' ',
      copyButton('Copy link', () => here.href),
    );
}

function fold(open) {
  for (const entry of entries) {
    const details = entry.matches('details') ? entry : entry.querySelector('details');
    if (!entry.hidden && details) details.open = open;
  }
}

finder.hidden = false;
finder.addEventListener('input', apply);
finder.addEventListener('submit', (event) => event.preventDefault());
// The fields have their first values only after the event.
finder.addEventListener('reset', () => setTimeout(apply));
document.getElementById('unfold').addEventListener('click', () => fold(true));
document.getElementById('fold').addEventListener('click', () => fold(false));
document.addEventListener('toggle', ({ target }) => target.open && equip(target), true);
for (const details of document.querySelectorAll('.requirement[open]')) equip(details);
addEventListener('hashchange', reveal);
if (location.hash) reveal();
// A link to where one already is does not change the address.
document.addEventListener('click', ({ target }) => {
  const link = target.closest?.('a[href^="#"]');
  if (link && link.hash === location.hash) reveal();
});
addEventListener('beforeprint', () => {
  // Where the style sheet cannot unfold for paper.
  if (CSS.supports('selector(::details-content)')) return;
  for (const each of document.querySelectorAll('.requirement:not(.passed, .notTestable), .flow, .read'))
    each.open = true;
});
