/** Normalizes the case of an address for lookups. */
export function comparedAddress(address: string): string {
  return address.toLowerCase().toWellFormed();
}
