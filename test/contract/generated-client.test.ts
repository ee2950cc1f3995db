import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { QUERY_ROUTES } from "../../src/http/query-api/routes.ts";
import { ApiClient } from "./api-client.ts";
import { RIGHT_PROGRAM, WRONG_PROGRAMS, wrongProgram } from "./client-programs.ts";
import { type DescribedApi, describedRoutes, generateClient, generateTypes } from "./typescript-client.ts";

/** A client generated from the server's document: correct use compiles and works, incorrect use does not compile. */

const ROOT = resolve(import.meta.dirname, "../..");

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs Node.js in addition to the server, which is in this process. */
function runNode(...args: readonly string[]): Promise<Outcome> {
  return new Promise((done) => {
    const child = execFile(process.execPath, args, (_error, stdout, stderr) =>
      done({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

const compileProject = (config: string): Promise<Outcome> =>
  runNode(join(ROOT, "node_modules/typescript/bin/tsc"), "-p", join(directory, config), "--pretty", "false");

/** Compiler strictness of this project, for programs in another directory. */
function writeProject(config: string, files: readonly string[]): void {
  const compilerOptions = {
    rootDir: ".",
    outDir: "out",
    noEmitOnError: true,
    typeRoots: [join(ROOT, "node_modules/@types")],
  };
  write(config, JSON.stringify({ extends: join(ROOT, "tsconfig.base.json"), compilerOptions, files }));
}

function write(name: string, text: string): void {
  writeFileSync(join(directory, name), text);
}

let api: ApiClient;
let base: string;
let directory: string;
let document: DescribedApi;
let types: string;

beforeAll(async () => {
  api = await ApiClient.start();
  base = await api.app.listen({ host: "127.0.0.1", port: 0 });
  document = (await (await fetch(`${base}/openapi.json`)).json()) as DescribedApi;
  types = await generateTypes(document);
  directory = mkdtempSync(join(tmpdir(), "archivetool-client-"));
  write("package.json", JSON.stringify({ type: "module" }));
  write("api.ts", types);
  write("client.ts", generateClient(document));
  write("right.ts", RIGHT_PROGRAM);
  for (const program of WRONG_PROGRAMS) write(program.file, wrongProgram(program));
});

afterAll(async () => {
  await api.stop();
  rmSync(directory, { recursive: true, force: true });
});

it("has a type for every parameter, body and answer of every route", () => {
  expect(describedRoutes(document).map(({ method, path }) => `${method} ${path}`)).toEqual(
    QUERY_ROUTES.map(({ method, path }) => `${method} ${path}`),
  );
  // A type that the document leaves open becomes one of these.
  // `"any"` is a value of `match`, not a type.
  expect(types.replaceAll(/"[^"]*"/g, "")).not.toMatch(/^[^*]*\b(?:any|unknown)\b/m);
});

it("compiles a program that uses every route, and the program works", async () => {
  writeProject("right.json", ["right.ts"]);
  expect(await compileProject("right.json")).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(await runNode(join(directory, "out/right.js"), base)).toEqual({
    code: 0,
    stdout: `${QUERY_ROUTES.length} routes used\n`,
    stderr: "",
  });
});

it.each(WRONG_PROGRAMS)("does not let a program compile with $mistake", async ({ file, error: [code, word] }) => {
  const config = `${file}.json`;
  writeProject(config, [file]);
  const { code: exitCode, stdout } = await compileProject(config);
  const errors = stdout.split("\n").filter((line) => line.includes("error TS"));
  expect(exitCode).not.toBe(0);
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain(`${file}(4,`);
  expect(errors[0]).toContain(`error ${code}: `);
  expect(errors[0]).toContain(word);
});
