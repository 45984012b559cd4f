import type { JudgingCheck } from './checks.ts';
export function selectionFor(_fault: string, checks: readonly JudgingCheck[]): readonly JudgingCheck[] {
  return checks;
}
