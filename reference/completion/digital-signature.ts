/** Puts a digital signature over a PDF (adbe.pkcs7.detached), with a key and certificate of this process. */
import { constants, generateKeyPair, type KeyObject, privateEncrypt, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import forge from 'node-forge';
import type { PDFDocument } from 'pdf-lib';

interface SigningKey {
  readonly certificate: forge.pki.Certificate;
  readonly key: forge.pki.rsa.PrivateKey;
}

let made: Promise<SigningKey> | undefined;

/** The key and its self-signed certificate, made once in a process. */
export function signingKey(): Promise<SigningKey> {
  made ??= makeKey();
  return made;
}

async function makeKey(): Promise<SigningKey> {
  const pair = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const publicPem = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const privatePem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const key = fastKey(forge.pki.privateKeyFromPem(privatePem), pair.privateKey);
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(publicPem);
  // A serial number is a positive integer: its first bit is 0.
  certificate.serialNumber = `01${randomBytes(8).toString('hex')}`;
  certificate.validity.notBefore = new Date(Date.now() - 86_400_000);
  certificate.validity.notAfter = new Date(Date.now() + 10 * 365 * 86_400_000);
  const name = [{ name: 'commonName', value: 'Reference service (for tests only)' }];
  certificate.setSubject(name);
  certificate.setIssuer(name);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: false },
    { name: 'keyUsage', digitalSignature: true, nonRepudiation: true },
  ]);
  certificate.sign(key, forge.md.sha256.create());
  return { certificate, key };
}

/** The key with signing done by Node, which takes a hundredth of the time of arithmetic in JavaScript. */
function fastKey(key: forge.pki.rsa.PrivateKey, native: KeyObject): forge.pki.rsa.PrivateKey {
  // DigestInfo of SHA-256 without the digest itself (RFC 8017, section 9.2).
  const prefix = Buffer.from('3031300d060960864801650304020105000420', 'hex');
  return Object.assign(key, {
    sign: (digest: forge.md.MessageDigest): string => {
      const info = Buffer.concat([prefix, Buffer.from(digest.digest().bytes(), 'binary')]);
      return privateEncrypt({ key: native, padding: constants.RSA_PKCS1_PADDING }, info).toString('binary');
    },
  });
}

/** The document saved and signed. */
export async function sealed(pdf: PDFDocument, reason: string): Promise<Buffer> {
  const { pdflibAddPlaceholder } = await import('@signpdf/placeholder-pdf-lib');
  const { SignPdf } = await import('@signpdf/signpdf');
  const { Signer } = await import('@signpdf/utils');
  const { certificate, key } = await signingKey();
  const plain = /^[\x20-\x7e]*$/.test(reason) ? reason : 'Signature request';
  const common = { contactInfo: 'reference@example.com', name: 'Reference service', location: 'Loopback' };
  pdflibAddPlaceholder({ pdfDoc: pdf, reason: plain.replace(/[\\()]/g, ' '), ...common });
  const saved = await pdf.save();
  class PageSigner extends Signer {
    override async sign(content: Buffer, at: Date = new Date()): Promise<Buffer> {
      return detached(content, at, certificate, key);
    }
  }
  return new SignPdf().sign(Buffer.from(saved), new PageSigner());
}

/** A detached PKCS #7 signature of `content`. */
function detached(
  content: Buffer,
  at: Date,
  certificate: forge.pki.Certificate,
  key: forge.pki.rsa.PrivateKey,
): Buffer {
  const message = forge.pkcs7.createSignedData();
  message.content = forge.util.createBuffer(content.toString('binary'));
  message.addCertificate(certificate);
  const { oids } = forge.pki;
  message.addSigner({
    key,
    certificate,
    digestAlgorithm: oids.sha256 ?? '',
    authenticatedAttributes: [
      { type: oids.contentType ?? '', value: oids.data ?? '' },
      { type: oids.signingTime ?? '', value: at.toISOString() },
      { type: oids.messageDigest ?? '' },
    ],
  });
  message.sign({ detached: true });
  return Buffer.from(forge.asn1.toDer(message.toAsn1()).getBytes(), 'binary');
}
