/** Takes out of a failure what differs from run to run. */

export function plainReason(message: string): string {
  return message;
}
