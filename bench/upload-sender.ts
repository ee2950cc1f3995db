import { request } from "node:http";

/**
 * Sends generated uploads to a service concurrently, and prints each result as a line of JSON. A separate process, so
 * that generating bytes does not disturb the measurement. Arguments: service URL, `raw` or `resumable`, bytes of
 * each, number.
 */

const CHUNK_BYTES = 64 * 1024;
const MESSAGE =
  "From ada@bench.example Mon May 14 16:39:00 2001\nFrom: Ada <ada@bench.example>\nTo: Ben <ben@bench.example>\nSubject: figures\n\n" +
  `${"The figures of this month are those of the last one, which were those of the one before.\n".repeat(20)}\n`;

interface Outcome {
  readonly status: number;
  readonly uploadId: string | null;
  readonly seconds: number;
}

function sendBody(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  bytes: number,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { ...headers, "content-length": String(bytes) } }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (text += chunk));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on("error", reject);
    const chunk = Buffer.alloc(CHUNK_BYTES, MESSAGE);
    let left = bytes;
    const write = (): void => {
      while (left > 0) {
        const piece = chunk.subarray(0, Math.min(left, chunk.length));
        left -= piece.length;
        if (!sent.write(piece)) return void sent.once("drain", write);
      }
      sent.end();
    };
    write();
  });
}

async function sendRaw(service: string, name: string, bytes: number): Promise<Outcome> {
  const start = performance.now();
  const { status, text } = await sendBody(`${service}/upload?filename=${name}.mbox`, "POST", {}, bytes);
  const uploadId = status === 202 ? (JSON.parse(text) as { upload_id: string }).upload_id : null;
  return { status, uploadId, seconds: (performance.now() - start) / 1000 };
}

/** One POST that creates, one PATCH that sends everything (tus 1.0.0). */
async function sendResumable(service: string, name: string, bytes: number): Promise<Outcome> {
  const start = performance.now();
  const tus = { "tus-resumable": "1.0.0" };
  const filename = Buffer.from(`${name}.mbox`).toString("base64");
  const created = await fetch(`${service}/upload/resumable`, {
    method: "POST",
    headers: { ...tus, "upload-length": String(bytes), "upload-metadata": `filename ${filename}` },
  });
  const path = created.headers.get("location") ?? "";
  const headers = { ...tus, "upload-offset": "0", "content-type": "application/offset+octet-stream" };
  const { status } = await sendBody(service + path, "PATCH", headers, bytes);
  return { status, uploadId: path.split("/").at(-1) ?? null, seconds: (performance.now() - start) / 1000 };
}

const [service = "", way, bytes, count] = process.argv.slice(2);
const send = way === "resumable" ? sendResumable : sendRaw;
const outcomes = await Promise.all(
  Array.from({ length: Number(count) }, (_, index) => send(service, `bench-${index}`, Number(bytes))),
);
for (const outcome of outcomes) console.log(JSON.stringify(outcome));
