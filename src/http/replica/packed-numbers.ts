import * as z from "zod";

/** Columns cross as the bytes they are: numbers written out would be three times as many, and Infinity is none in JSON. */
export function withPackedNumbers(_: string, value: unknown): unknown {
  if (value instanceof Float64Array) return { float64: packed(value) };
  if (value instanceof Uint32Array) return { uint32: packed(value) };
  return value;
}

function packed({ buffer, byteOffset, byteLength }: Float64Array | Uint32Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("base64");
}

/** The bytes in a buffer of their own. */
function unpacked(base64: string): ArrayBuffer {
  return new Uint8Array(Buffer.from(base64, "base64")).buffer;
}

const whole = (elementBytes: number) => (base64: string) => Buffer.byteLength(base64, "base64") % elementBytes === 0;

export const float64Wire = z
  .strictObject({ float64: z.base64().refine(whole(Float64Array.BYTES_PER_ELEMENT)) })
  .transform(({ float64 }) => new Float64Array(unpacked(float64)));
export const uint32Wire = z
  .strictObject({ uint32: z.base64().refine(whole(Uint32Array.BYTES_PER_ELEMENT)) })
  .transform(({ uint32 }) => new Uint32Array(unpacked(uint32)));
