import { readdirSync, statSync } from "node:fs";
import { type ClientRequest, request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { AuditNotes } from "../../src/http/audit-notes.ts";
import { createHttpServer } from "../../src/http/http-server.ts";
import { errorEnvelope } from "../../src/http/query-api/query-api.ts";
import { type Intake, intakeOf } from "../../src/http/upload-service/receiving/intake.ts";
import { addUploadIntake } from "../../src/http/upload-service/routes/upload-routes.ts";
import { ANYBODY } from "../../src/http/upload-service/service/caller.ts";
import { CompletedArchives } from "../../src/http/upload-service/service/completed-archives.ts";
import { ServiceView } from "../../src/http/upload-service/service/service-view.ts";
import { UploadOriginals } from "../../src/http/upload-service/service/upload-originals.ts";
import { createServiceFixture, NOON, type ServiceFixture } from "./service-fixture.ts";

export const MAIL = "From: Ada <ada@example.example>\nSubject: figures\n\nHello\n";
export const MBOX = `From ada@example.example Mon May 14 16:39:00 2001\n${MAIL}\n`;

/** An upload intake that listens on a real port and has a separate data directory. */
export interface IntakeFixture extends ServiceFixture {
  readonly app: FastifyInstance;
  readonly port: number;
  readonly url: string;
  /** Stops the server; its data stays. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** @param changes settings that differ from those of a running service */
export async function listenForUploads(changes: Partial<Intake> = {}): Promise<IntakeFixture> {
  return listenOver(await createServiceFixture(), changes);
}

/** Another server over the same data, which shares no memory with the first one. */
export async function listenOver(fixture: ServiceFixture, changes: Partial<Intake> = {}): Promise<IntakeFixture> {
  const app = await createHttpServer(null, errorEnvelope, "", 0);
  const { service, directory } = fixture;
  const stock = {
    service,
    archives: new CompletedArchives(service),
    originals: new UploadOriginals(directory, service.storage),
    notes: new AuditNotes(service.catalog.access, () => NOON),
    now: () => NOON,
  };
  const view = new ServiceView(stock, ANYBODY, { action: "opened", detail: null, queryHash: "" });
  await app.register(async (scope) =>
    addUploadIntake(scope, { ...intakeOf(fixture.service), ...changes }, { of: () => view }),
  );
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  const stop = async (): Promise<void> => {
    app.server.closeAllConnections();
    await app.close();
  };
  const close = async (): Promise<void> => {
    await stop();
    await fixture.remove();
  };
  return { ...fixture, app, url, port: Number(new URL(url).port), stop, close };
}

/** Files and directories of the data directory with file sizes; the catalog is omitted. */
export function dataTree({ directory }: ServiceFixture): readonly string[] {
  const names = readdirSync(directory.root, { recursive: true, encoding: "utf8" }).filter(
    (name) => !name.startsWith("catalogue.db"),
  );
  return names.sort().map((name) => {
    const stat = statSync(join(directory.root, name));
    return stat.isFile() ? `${name} ${stat.size}` : name;
  });
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly code: string | null;
}

/**
 * Sends a request whose body a function writes piece by piece, and reads the response even if it arrives before the
 * end of the body.
 */
export function send(
  { port }: IntakeFixture,
  asked: { readonly method?: string; readonly path: string; readonly headers?: Readonly<Record<string, string>> },
  write: (request: ClientRequest) => void | Promise<void>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      host: "127.0.0.1",
      port,
      method: asked.method ?? "POST",
      path: asked.path,
      headers: asked.headers ?? {},
    });
    let isAnswered = false;
    request.on("response", (response) => {
      isAnswered = true;
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("error", reject);
      response.on("end", () => {
        const code = text.startsWith("{")
          ? ((JSON.parse(text) as { error?: { code: string } }).error?.code ?? null)
          : null;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, code });
        request.destroy();
      });
    });
    request.on("error", (error) => {
      if (!isAnswered) reject(error);
    });
    void write(request);
  });
}

/** Sends a complete body. */
export function post(
  fixture: IntakeFixture,
  path: string,
  body: Buffer | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return send(fixture, { path, headers }, (request) => void request.end(body));
}

export const BOUNDARY = "----boundary-of-a-test";
export const FORM = { "content-type": `multipart/form-data; boundary=${BOUNDARY}` } as const;

/** A part of a form, as between boundaries. */
export function formPart(name: string, content: Buffer | string, filename?: string): Buffer {
  const disposition = `form-data; name="${name}"${filename === undefined ? "" : `; filename="${filename}"`}`;
  const type = filename === undefined ? "" : "Content-Type: application/octet-stream\r\n";
  return Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: ${disposition}\r\n${type}\r\n`),
    Buffer.from(content),
    Buffer.from("\r\n"),
  ]);
}

export const FORM_END = Buffer.from(`--${BOUNDARY}--\r\n`);

/** A complete form with these parts. */
export function form(...parts: readonly Buffer[]): Buffer {
  return Buffer.concat([...parts, FORM_END]);
}
