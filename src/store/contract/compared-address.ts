/** The form in which an address is looked up: addresses match whatever their case, and in nothing else. */
export function comparedAddress(address: string): string {
  return address.toLowerCase().toWellFormed();
}
