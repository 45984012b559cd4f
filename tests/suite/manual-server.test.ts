/** The page of manual signing answers the browser of the person who was given its address, and no other site. */
import http from 'node:http';
import { expect, test } from '@playwright/test';
import { startManualServer } from '../../harness/people/manual-server.ts';

const rows: readonly (readonly [title: string, headers: Record<string, string>, status: number])[] = [
  ['the page itself', { 'Sec-Fetch-Site': 'same-origin', Origin: 'null' }, 303],
  ['a program without such headers', {}, 303],
  ['a name that leads here', { Host: 'rebound.example' }, 403],
  ['another site', { 'Sec-Fetch-Site': 'cross-site', Origin: 'null' }, 403],
  ['another port of this machine', { 'Sec-Fetch-Site': 'same-site' }, 403],
  ['another origin', { Origin: 'https://evil.example' }, 403],
];

for (const [title, headers, status] of rows) {
  test(`an answer from ${title} is given ${status}`, async () => {
    const answered: number[] = [];
    const page = () => Promise.resolve('the page');
    const server = await startManualServer({ page, answer: (number) => void answered.push(number) });
    const got = await new Promise<number | undefined>((resolve, reject) => {
      const request = http.request(`${server.url}tasks/1`, { method: 'POST', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      request.on('error', reject).end('answer=done');
    });
    await server.close();
    expect(got).toBe(status);
    expect(answered).toEqual(status === 303 ? [1] : []);
  });
}
