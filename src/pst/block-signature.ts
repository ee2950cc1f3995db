/** `wSig` of pages and blocks ([MS-PST] 5.5): the low halves of place and id folded together. */
export function pstSignature(offset: number, bid: number): number {
  const folded = (offset % 0x1_0000_0000) ^ (bid % 0x1_0000_0000);
  return (folded >>> 16) ^ (folded & 0xffff);
}
