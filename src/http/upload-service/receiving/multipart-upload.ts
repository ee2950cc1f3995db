import type { Multipart } from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import { ArchiveError } from "../../../errors.ts";
import type { UploadOptions } from "../../../mail/uploads.ts";
import { formatValue } from "../../format-value.ts";
import { isOptionField, OPTION_FIELDS, uploadOptions } from "../base/upload-form.ts";
import { uploadFilename, uploadKind } from "../base/upload-kind.ts";
import type { ReceivedFile } from "../storage/received-file.ts";
import { freshUploadId, type Intake } from "./intake.ts";
import type { ReceivedUpload } from "./raw-upload.ts";
import { discardReceived, receiveUpload } from "./receive-upload.ts";

/** The field of the file. */
const FILE_FIELD = "file";
/** Maximum bytes of a field value: the longest is a password. */
const FIELD_BYTES = 4096;
/** Maximum bytes of a field name: the longest known has 12. */
const FIELD_NAME_BYTES = 100;
/** Maximum header fields of a part, and their bytes: browsers send two, and a file name of at most 1,000 characters. */
const PART_HEADERS = 16;
const PART_HEADER_BYTES = 8192;
/**
 * Limit of bytes of a body outside its file, including those buffered by the parser: an endless field is rejected
 * before its end.
 */
const BESIDE_FILE_BYTES = 1024 * 1024;

/** Limits of the parser: one part more than there are fields, so that the excess one can be named. */
export const MULTIPART_LIMITS = {
  fieldNameSize: FIELD_NAME_BYTES,
  fieldSize: FIELD_BYTES,
  fields: OPTION_FIELDS.length + 1,
  files: 1,
  parts: OPTION_FIELDS.length + 2,
  headerPairs: PART_HEADERS,
  headerSize: PART_HEADER_BYTES,
  // The file itself is measured while it is written.
  fileSize: Number.POSITIVE_INFINITY,
} as const;

/**
 * Receives a form with one file and options, in any order. Throws like `receiveUpload`, and INVALID_QUERY; then nothing
 * is kept.
 */
export async function receiveForm(request: FastifyRequest, intake: Intake): Promise<ReceivedUpload> {
  const form = new UploadForm(intake);
  const beside = new BytesBeside(request, form);
  try {
    const parts = request.parts();
    for (;;) {
      const next = await Promise.race([parts.next(), beside.exceeded]);
      if (next.done === true) break;
      await form.take(next.value);
    }
    return form.finish();
  } catch (error) {
    await form.discard();
    throw error instanceof ArchiveError ? error : formFault(error);
  } finally {
    beside.stop();
  }
}

/**
 * Translates the parser's errors on a malformed form: it throws plain errors and those of the framework. Errors of the
 * disk and our own are returned unchanged.
 */
function formFault(error: unknown): unknown {
  if (!(error instanceof Error) || "syscall" in error) return error;
  const code = "code" in error ? String(error.code) : "";
  if (error.name !== "Error" && !code.startsWith("FST_")) return error;
  if (code === "FST_FILES_LIMIT")
    return new ArchiveError("INVALID_QUERY", "the form must have one file, not several", { cause: error });
  if (code === "FST_PARTS_LIMIT" || code === "FST_FIELDS_LIMIT") {
    return new ArchiveError(
      "INVALID_QUERY",
      `the form has too many fields; allowed: ${[FILE_FIELD, ...OPTION_FIELDS].join(", ")}`,
      {
        cause: error,
      },
    );
  }
  return new ArchiveError("INVALID_QUERY", "the multipart/form-data body is invalid or incomplete", { cause: error });
}

/** The parts of a form in order of arrival. */
class UploadForm {
  private readonly fields: Partial<Record<(typeof OPTION_FIELDS)[number], string>> = {};
  private file: ReceivedFile | null = null;
  private takenBytes = 0;

  constructor(private readonly intake: Intake) {}

  /** Bytes of the file so far. */
  get fileBytes(): number {
    return this.takenBytes;
  }

  async take(part: Multipart): Promise<void> {
    const name: string | undefined = part.fieldname;
    if (part.type === "file") {
      if (name !== FILE_FIELD)
        throw new ArchiveError("INVALID_QUERY", `the file field must be named "file", not ${formatValue(name)}`);
      if (this.file !== null) throw new ArchiveError("INVALID_QUERY", "the form must have one file, not several");
      const filename = uploadFilename(part.filename ?? "");
      uploadKind(filename);
      this.file = await receiveUpload(
        this.counted(part.file),
        { uploadId: await freshUploadId(this.intake), filename },
        this.intake,
      );
      return;
    }
    if (name === FILE_FIELD) throw new ArchiveError("INVALID_QUERY", 'the field "file" must be a file with a name');
    if (name === undefined || !isOptionField(name)) {
      throw new ArchiveError(
        "INVALID_QUERY",
        `the form has an unknown field ${formatValue(name)}; allowed: ${OPTION_FIELDS.join(", ")}`,
      );
    }
    if (this.fields[name] !== undefined) throw new ArchiveError("INVALID_QUERY", `${name} must be given once`);
    if (part.valueTruncated)
      throw new ArchiveError("INVALID_QUERY", `${name} must not be longer than ${FIELD_BYTES} bytes`);
    this.fields[name] = String(part.value);
    // Invalid options are reported before a file that follows them is read.
    this.options();
  }

  finish(): ReceivedUpload {
    if (this.file === null) throw new ArchiveError("INVALID_QUERY", 'no file in the form; use the field name "file"');
    return { file: this.file, options: this.options() };
  }

  private options(): UploadOptions {
    return uploadOptions(this.fields, this.intake.service.limits.discardsOriginals);
  }

  async discard(): Promise<void> {
    if (this.file !== null) await discardReceived(this.file);
  }

  private async *counted(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      this.takenBytes += chunk.length;
      yield chunk;
    }
  }
}

/** Limits the bytes outside the file: the parser reads a field to its end before it reports it. */
class BytesBeside {
  /** Rejects if the limit is exceeded. */
  readonly exceeded: Promise<never>;
  private received = 0;
  private reject: (error: ArchiveError) => void = () => undefined;

  constructor(
    private readonly request: FastifyRequest,
    private readonly form: UploadForm,
  ) {
    this.exceeded = new Promise((_, reject) => {
      this.reject = reject;
    });
    // Avoids an unhandled rejection.
    this.exceeded.catch(() => undefined);
    // The listener must not start the flow of the body before the parser listens, so it is added at the same time.
    setImmediate(() => request.raw.on("data", this.count));
  }

  stop(): void {
    this.request.raw.off("data", this.count);
  }

  private readonly count = (chunk: Buffer): void => {
    this.received += chunk.length;
    // Bytes of the file that the parser has buffered but not yet emitted count as outside the file.
    if (this.received - this.form.fileBytes <= BESIDE_FILE_BYTES) return;
    this.request.raw.unpipe();
    this.reject(
      new ArchiveError(
        "INVALID_QUERY",
        `form fields must not exceed ${BESIDE_FILE_BYTES} bytes in addition to the file`,
      ),
    );
  };
}
