/** What counts as a valid MobileNumber; the number data are loaded when the first number is judged. */
import type { Dialect } from './dialect.ts';

/** Whether a number is valid in the form and of the countries that the dialect asks for. */
export async function isValidMobileNumber(
  number: string,
  { mobileNumberForm: form, mobileNumberCountries: countries }: Dialect,
): Promise<boolean> {
  const ofNorthAmerica = number.replace(/^\+/, '').startsWith('1');
  if (countries !== 'all' && ofNorthAmerica !== (countries === 'north-america')) return false;
  if (form === 'digits') return /^\+?[0-9]{1,15}$/.test(number);
  if (form === 'e164' && !/^\+[1-9][0-9]{6,14}$/.test(number)) return false;
  const { isValidPhoneNumber } = await import('libphonenumber-js/max');
  return isValidPhoneNumber(number);
}
