/** How a replay tells which deliveries proved their origin: signatures do not survive the disguise of secrets. */

/** Settings of `callbacks.authenticity` in the profile of a recording. */
export const genuineHeader = {
  kind: 'header',
  header: 'X-Recorded-Origin',
  secret: 'proved-when-recorded',
} as const;
