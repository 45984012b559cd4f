/** The signing page of the reference service, as a profile describes it. */
import type { SigningSettings } from '../../harness/profile/signing-settings.ts';

export const onReferencePage: SigningSettings = {
  driver: 'browser',
  readyMs: 300,
  page: {
    ready: 'main h1',
    requestOtp: 'form[action$="/code"] button',
    otp: '#otp, #otpSms',
    accessCode: '#accessCode',
    sign: 'button[value=sign]',
    approve: 'button[value=approve]',
    done: '[data-part=done]',
    refused: '[data-part=refused], [data-part=waiting], [data-part=closed]',
    document: '[data-part=document]',
  },
};
