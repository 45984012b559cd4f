/** Checks of a team's own; each is named by its requirement, and judges by the rows that it hands over. */

/** @satisfies {import('esign-conformance').OwnChecks} */
export default {
  // The answer to the creation that all checks share: nothing more is called.
  'acme.request-id-opaque': ({ skeleton, passed, failed }) =>
    skeleton.answers('the id of a created request', (answer) => {
      const { requestId = '' } = answer.ids;
      if (/^[\w.~-]+$/.test(requestId)) return passed(answer);
      return failed(answer, `expected letters, digits and -._~ · received ${JSON.stringify(requestId)}`);
    }),

  // Bodies of one's own, each judged as the checks of the suite do: what vouches, trouble, a second call.
  'acme.title-letters': ({ skeleton }) =>
    skeleton.accepts((given) =>
      ['Überlassungsvertrag', '契約書', 'Υπογραφή'].map((word) => ({
        title: `Title with ${word}`,
        input: async () => {
          const { json } = await skeleton.valid(given);
          return { json: { ...json, Title: `${json.Title} ${word}` } };
        },
      })),
    ),

  // A call in any other way.
  'acme.json-declared': ({ row, shared, passed, failed, unproved }) =>
    row('Content-Type of the answer', async () => {
      const answer = await shared('skeleton');
      if (answer.status >= 300) return unproved(answer, 'no request was created');
      const [, type = ''] = answer.headers.find(([name]) => name.toLowerCase() === 'content-type') ?? [];
      if (/^application\/json\b/.test(type)) return passed(answer);
      return failed(answer, `expected application/json · received ${type || 'no Content-Type'}`);
    }),
};
