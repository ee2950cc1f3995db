/**
 * A reader with a fault behind three gates, each open only to inputs that passed the one before: what tests of the
 * fuzzer look for.
 */
export function plantedFault(text: string): number {
  const alpha = text.indexOf("alpha");
  if (alpha < 0) return 0;
  const beta = text.indexOf("beta", alpha);
  if (beta < 0) return 1;
  const gamma = text.indexOf("gamma", beta);
  if (gamma < 0) return 2;
  if (text.indexOf("alpha", gamma) < 0) return 3;
  throw new Error("the planted fault");
}
