/**
 * A buffer to read numbers from, all of them little-endian in stores. Those who read many do it here: the engine makes
 * one load of each, where the bytes of a buffer are put together one by one, each checked.
 */
export function dataViewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
