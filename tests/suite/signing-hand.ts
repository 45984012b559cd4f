/** A person for tests of signing by hand: reads the local page, does what it asks at the reference service, and says so. */
import { pause } from '../../harness/target/budgets/pause.ts';
import type { startReference } from '../../reference/server.ts';

type Reference = Awaited<ReturnType<typeof startReference>>;

/** A task that stands open on the page. */
export interface OpenTask {
  readonly number: string;
  readonly requestId: string;
  readonly email: string;
  readonly act: 'sign' | 'approve';
  /** The passcode that is to be entered. */
  readonly accessCode: string | undefined;
}

/** The tasks that wait for an answer. */
export async function openTasks(page: string): Promise<readonly OpenTask[]> {
  const text = await (await fetch(page)).text();
  return text.split('<h2>Request ').flatMap((part) => {
    const [requestId = ''] = part.split('</h2>');
    return part.split('<li').flatMap((item) => {
      const number = /action="tasks\/(\d+)"/.exec(item)?.[1];
      const email = /&lt;(\S+?)&gt;/.exec(item)?.[1];
      if (!number || !email) return [];
      const accessCode = /(?:the access|a wrong) code,? (?:as )?(\w+)/.exec(item)?.[1];
      const act = /approve as/i.test(item) ? 'approve' : 'sign';
      return [{ number, requestId, email, act, accessCode } as const];
    });
  });
}

/** The first task that waits for an answer, once there is one. */
export async function firstTask(page: string): Promise<OpenTask> {
  const [task] = await openTasks(page);
  if (task) return task;
  await pause(50);
  return firstTask(page);
}

/** Does what a task asks for; whether the service let it happen. */
export async function doTask(reference: Reference, task: OpenTask): Promise<'done' | 'refused'> {
  const below = `${reference.baseUrl}/_apis/sign/api/v2/requests/${task.requestId}`;
  const headers = {
    Authorization: `Bearer ${reference.tokens.valid}`,
    'Content-Type': 'application/json',
  };
  const status = (await (await fetch(`${below}/status`, { headers })).json()) as {
    readonly signatories: readonly { readonly signatoryId: string; readonly email: string }[];
  };
  const { signatoryId } = status.signatories.find(({ email }) => email === task.email) ?? {};
  const url = `${below}/signatories/${signatoryId}/${task.act}`;
  const answer = await fetch(url, {
    method: 'POST',
    headers,
    body: JSON.stringify({ accessCode: task.accessCode }),
  });
  return answer.ok ? 'done' : 'refused';
}

export async function say(page: string, number: string, answer: string): Promise<void> {
  await fetch(`${page}tasks/${number}`, {
    method: 'POST',
    body: new URLSearchParams({ answer }),
    redirect: 'manual',
  });
}

/** Does all that is asked until `ended` is settled, as long as `wants` holds. */
export async function work(
  reference: Reference,
  page: string,
  ended: Promise<unknown>,
  wants: (task: OpenTask) => boolean = () => true,
): Promise<void> {
  let over = false;
  const end = () => {
    over = true;
  };
  ended.then(end, end);
  while (!over) {
    const tasks = await openTasks(page).catch(() => []);
    for (const task of tasks.filter(wants)) await say(page, task.number, await doTask(reference, task));
    await pause(150);
  }
}
