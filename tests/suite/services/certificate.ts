/** A certificate for this machine that nobody vouches for, made anew in each process. */
import { generateKeyPairSync } from 'node:crypto';
import forge from 'node-forge';
import type { Certificate } from './loopback.ts';

let made: Certificate | null = null;

/** Key and certificate for 127.0.0.1 and sandbox.test, signed by itself. */
export async function selfSigned(): Promise<Certificate> {
  made ??= make();
  return made;
}

function make(): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey);
  certificate.serialNumber = '01';
  certificate.validity.notBefore = new Date(Date.now() - 60_000);
  certificate.validity.notAfter = new Date(Date.now() + 3_600_000);
  const name = [{ name: 'commonName', value: 'sandbox.test' }];
  certificate.setSubject(name);
  certificate.setIssuer(name);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: true },
    // Type 7 is an IP address, 2 a host name (RFC 5280, GeneralName).
    {
      name: 'subjectAltName',
      altNames: [
        { type: 7, ip: '127.0.0.1' },
        { type: 2, value: 'sandbox.test' },
      ],
    },
  ]);
  certificate.sign(forge.pki.privateKeyFromPem(privateKey), forge.md.sha256.create());
  return { key: privateKey, cert: forge.pki.certificateToPem(certificate) };
}
