/** A dialect: one compliant way to fill the gaps of the interface document, as named settings with defaults. */
import { accessSettings } from './dialect/access.ts';
import { callbackSettings } from './dialect/callbacks.ts';
import { errorSettings } from './dialect/errors.ts';
import { requestSettings } from './dialect/request.ts';
import type { Setting, SettingValue } from './dialect/setting.ts';
import { signatorySettings } from './dialect/signatory.ts';
import { signingSettings } from './dialect/signing.ts';
import { uploadSettings } from './dialect/upload.ts';
import { wireSettings } from './dialect/wire.ts';

/** Every setting with its question, its values and its default (the first value). */
export const settings = {
  ...wireSettings,
  ...accessSettings,
  ...errorSettings,
  ...uploadSettings,
  ...requestSettings,
  ...signatorySettings,
  ...signingSettings,
  ...callbackSettings,
} as const;

export type SettingName = keyof typeof settings;

export type Dialect = {
  readonly [Name in SettingName]: (typeof settings)[Name] extends Setting<infer Value> ? Value : never;
};

const names = Object.keys(settings) as SettingName[];

const defaultDialect: Dialect = Object.fromEntries(
  names.map((name) => [name, settings[name].values[0]]),
) as Dialect;

/** The defaults with `given` laid over them. Throws when a setting is unknown or does not take its value. */
export function resolveDialect(given: Partial<Dialect> = {}): Dialect {
  for (const [name, value] of Object.entries(given)) checkSetting(name, value);
  return { ...defaultDialect, ...given };
}

/** For open settings, in words and as a pattern, which values they take; the first whose name fits counts. */
const openForms: readonly (readonly [name: RegExp, told: string, form: RegExp])[] = [
  [/^(base|token|authorize)Path$/, 'a path such as /a/b, with no slash at its end', /^(\/[^\s/?#\\]+)*$/],
  [/^tokenPointer$/, 'a JSON Pointer such as /a/b, with no index above 999', /^(?!.*\/\d{4})(\/.*)?$/],
  [/^tokenHeader$/, 'the name of a header field', /^[\w!#$%&'*+.^`|~-]+$/],
  [/Field$/, 'the name of a field', /./],
  [/^(tokenScope|callbackSecret)$/, 'a text', /^/],
  [/^otpDigits$/, 'a whole number, 1 to 14', /^([1-9]|1[0-4])$/],
  [/^clockOffsetSeconds$/, 'a whole number', /^-?\d{1,9}$/],
  [/^/, 'a whole number, 0 to 999999999', /^\d{1,9}$/],
];

function checkSetting(name: string, value: SettingValue): void {
  if (!Object.hasOwn(settings, name))
    throw new Error(`dialect: no setting is called "${name}"; there are ${names.join(', ')}`);
  const setting: Setting<SettingValue> = settings[name as SettingName];
  const [, told = '', form = /^/] = (setting.open && openForms.find(([each]) => each.test(name))) || [];
  const fits = setting.open
    ? typeof value === typeof setting.values[0] && form.test(String(value))
    : setting.values.includes(value);
  if (fits) return;
  const allowed = told || setting.values.map(String).join(', ');
  throw new Error(`dialect: ${name} is ${JSON.stringify(value)}; it takes ${allowed}`);
}
