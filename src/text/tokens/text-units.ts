/** Initial capacity in units: most messages are shorter. */
const FIRST_UNITS = 1 << 14;
/** UTF-16 units have two bytes; an array of them uses the byte order of the machine. */
const UNIT_BYTES = 2;
const IS_BIG_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 0;

/**
 * The UTF-16 units of a text in an array. Looping over it costs a tenth of looping over a string, which V8 resolves
 * again at every character. Units may be changed.
 */
export class TextUnits {
  /** The first `length` are those of the text. */
  units: Uint16Array = new Uint16Array(FIRST_UNITS);
  length = 0;
  private bytes = Buffer.from(this.units.buffer);

  /** Loads the units of another text. */
  load(text: string): void {
    if (text.length > this.units.length) {
      this.units = new Uint16Array(text.length * 2);
      this.bytes = Buffer.from(this.units.buffer);
    }
    this.length = this.bytes.write(text, "utf16le") / UNIT_BYTES;
    if (IS_BIG_ENDIAN) this.bytes.subarray(0, this.length * UNIT_BYTES).swap16();
  }
}
