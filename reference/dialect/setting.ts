/** The shape of a dialect setting: one way in which a service may fill a gap of the interface document. */

export type SettingValue = string | number | boolean;

export interface Setting<Value extends SettingValue> {
  /** The question that the document leaves open, and the meaning of each value where its name does not say it. */
  readonly about: string;
  /** The values to try; the first one is the default. */
  readonly values: readonly [Value, ...Value[]];
  /** Other values of the same type are allowed too: `values` are examples. */
  readonly open: boolean;
}

type Values<Value> = readonly [Value, ...Value[]];

/** A setting with a closed list of values, the default first. */
export function choice<const Value extends SettingValue>(
  about: string,
  values: Values<Value>,
): Setting<Value> {
  return { about, values, open: false };
}

/** A setting that takes any value of its type; the default comes first, then examples worth trying. */
export function free<Value extends string | number>(
  about: string,
  values: Values<Value>,
): Setting<Value extends string ? string : number> {
  return { about, values, open: true } as unknown as Setting<Value extends string ? string : number>;
}

/** A switch: off unless `byDefault` is true. */
export function flag(about: string, byDefault = false): Setting<boolean> {
  return { about, values: [byDefault, !byDefault], open: false };
}
