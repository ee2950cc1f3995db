/** Memory with a function that replaces bytes in it by those of a table. */
export interface SubstitutionMemory {
  readonly bytes: Buffer;
  /** The first byte that is free; the table and the room for what it is read with lie before. */
  readonly start: number;
  /** Puts what the table has for the bytes [from, end) at `to` and behind; `to` may lie before `from`, and the two overlap. */
  substitute(from: number, to: number, end: number): void;
}

/** The table is read by eight bytes in a row: as fast as vectors of sixteen, and twice as fast as byte by byte (measured). */
const STEP_BYTES = 8;
const WASM_PAGE_BYTES = 64 << 10;
const TABLE_BYTES = 256;

/** What is used of the engine's WebAssembly; the types of Node leave it out. */
declare const WebAssembly: {
  readonly Memory: new (pages: { readonly initial: number; readonly maximum: number }) => { readonly buffer: ArrayBuffer };
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Pick<SubstitutionMemory, "substitute"> };
};

/**
 * Memory of so many bytes for the substitution by a table of 256. WebAssembly does it at 2 GB/s in the one loop that touches every byte of
 * a store, optimised JavaScript at 0.7 (measured among the rest of reading: its checks of bounds leave no registers). V8 reserves
 * 10 GB of addresses for such memory, but uses what is touched. Where it has no addresses (`ulimit -v`) or may not compile
 * (`node --jitless`), the slower one has to do.
 */
export function substitutionMemory(table: Uint8Array, size: number): SubstitutionMemory {
  try {
    return compiledSubstitution(table, size);
  } catch {
    return plainSubstitution(table, size);
  }
}

/** @throws errors of the engine when it has no addresses for it, or does not compile. */
export function compiledSubstitution(table: Uint8Array, size: number): SubstitutionMemory {
  const pages = Math.ceil((TABLE_BYTES + size) / WASM_PAGE_BYTES);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const { substitute } = new WebAssembly.Instance(new WebAssembly.Module(MODULE), { [IMPORTED]: { [IMPORTED]: memory } }).exports;
  const bytes = Buffer.from(memory.buffer);
  bytes.set(table);
  return { bytes, start: TABLE_BYTES, substitute };
}

export function plainSubstitution(table: Uint8Array, size: number): SubstitutionMemory {
  const bytes = Buffer.allocUnsafeSlow(size);
  const substitute = (from: number, to: number, end: number): void => {
    for (let at = from; at < end; at++) bytes[at - from + to] = table[bytes[at]!]!;
  };
  return { bytes, start: 0, substitute };
}

/** Words of the binary format of WebAssembly 1.0 (its core specification, 5.2 to 5.5), as far as they are needed. */
const HEADER = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const SECTION = { types: 1, imports: 2, functions: 3, exports: 7, code: 10 } as const;
const TYPE = { function: 0x60, i32: 0x7f, none: 0x40 } as const;
const KIND = { function: 0, memory: 2 } as const;
/** Of a memory: at least so many pages. It is made, with the right number, by those who use the module. */
const NO_MAXIMUM = 0;
const ANY_PAGES = 0;
/** Names the memory that is handed in. */
const IMPORTED = "m";
const OP = {
  block: 0x02,
  loop: 0x03,
  end: 0x0b,
  branch: 0x0c,
  branchIf: 0x0d,
  getLocal: 0x20,
  setLocal: 0x21,
  loadByte: 0x2d,
  storeByte: 0x3a,
  constant: 0x41,
  isAbove: 0x4b,
  add: 0x6a,
} as const;
/** The parameters. */
const FROM = 0;
const TO = 1;
const END = 2;
/** Bytes are aligned anywhere. */
const UNALIGNED = 0;

/** The module: one function, over a memory that is handed in and begins with the table. Made once, as every unit of a store needs one. */
const MODULE = substitutionModule();

function substitutionModule(): Uint8Array {
  const name = counted(Buffer.from(IMPORTED));
  const body = [0, ...substituteWhile(STEP_BYTES), ...substituteWhile(1), OP.end];
  return Uint8Array.from([
    ...HEADER,
    ...section(SECTION.types, [TYPE.function, ...counted([TYPE.i32, TYPE.i32, TYPE.i32]), 0]),
    ...section(SECTION.imports, [...name, ...name, KIND.memory, NO_MAXIMUM, ANY_PAGES]),
    ...section(SECTION.functions, [0]),
    ...section(SECTION.exports, [...counted(Buffer.from("substitute")), KIND.function, 0]),
    ...section(SECTION.code, counted(body)),
  ]);
}

/** The loop over steps of that length, as long as another one is whole. */
function substituteWhile(step: number): readonly number[] {
  const forward = (local: number): readonly number[] => [OP.getLocal, local, OP.constant, step, OP.add, OP.setLocal, local];
  const leave = [OP.getLocal, FROM, OP.constant, step, OP.add, OP.getLocal, END, OP.isAbove, OP.branchIf, 1];
  const substitutions = Array.from({ length: step }, (_, at) => {
    const looked = [OP.getLocal, FROM, OP.loadByte, UNALIGNED, at, OP.loadByte, UNALIGNED, 0];
    return [OP.getLocal, TO, ...looked, OP.storeByte, UNALIGNED, at];
  });
  const again = [...forward(FROM), ...forward(TO), OP.branch, 0];
  return [OP.block, TYPE.none, OP.loop, TYPE.none, ...leave, ...substitutions.flat(), ...again, OP.end, OP.end];
}

function section(id: number, ...entries: readonly (readonly number[])[]): readonly number[] {
  return [id, ...counted([...unsigned(entries.length), ...entries.flat()])];
}

/** A list with its length in front. */
function counted(items: Iterable<number>): readonly number[] {
  const list = [...items];
  return [...unsigned(list.length), ...list];
}

/** LEB128: seven bits a byte, the lowest first. */
function unsigned(value: number): readonly number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return [...bytes, rest];
    bytes.push((rest & 0x7f) | 0x80);
  }
}
