/** A client as it might stand in your project: the examples beside it test this one. */

/** Has a PDF signed by one person; resolves with the id of the request. Asks once more where the service is busy. */
export async function askForSignature({ url, token, pdf, email, callbackUrl }) {
  const authorization = { Authorization: `Bearer ${token}` };
  const post = async (path, body, headers = {}) => {
    const send = () => fetch(url + path, { method: 'POST', headers: { ...authorization, ...headers }, body });
    let answer = await send();
    if (answer.status === 503) answer = await send();
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}`);
    return answer.json();
  };
  const postJson = (path, body) => post(path, JSON.stringify(body), { 'Content-Type': 'application/json' });

  const form = new FormData();
  form.append('file', new Blob([pdf], { type: 'application/pdf' }), 'contract.pdf');
  const { documentToken } = await post('/_apis/sign/thumbs/api/Requests/document', form);
  const { requestId } = await postJson('/_apis/sign/api/v2/requests?type=0', {
    Title: 'Contract',
    Message: 'Please sign',
    Documents: [documentToken],
    AuditDetails: { AuthorIPAddress: '192.0.2.1', Device: 'tests' },
    CallbackUrl: callbackUrl,
    CallbackTypes: [0],
  });
  await postJson(`/_apis/sign/api/v2/requests/${requestId}/signatories`, {
    Email: email,
    Name: 'Ann Example',
    Order: 1,
    SignatoryType: 1,
    OTP: { IsRequired: false, Type: 1 },
  });
  return requestId;
}

/** A PDF with one empty page. */
export const pdf = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>endobj
trailer<</Root 1 0 R>>
%%EOF`;
