import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LOCKED_USER } from "../../../../test/postgres-cluster.ts";
import { HAS_POSTGRES, testServer } from "../../../../test/stores.ts";
import { connect } from "./postgres-client.ts";
import { ReconnectingClient } from "./reconnecting-client.ts";

const PASSWORD = "Kran:7\\\\quay";

describe.skipIf(!HAS_POSTGRES)("a user with a password", () => {
  const directory = mkdtempSync(join(tmpdir(), "archivetool-pgpass-"));
  const file = join(directory, "pgpass");
  const earlier = process.env["PGPASSFILE"];
  let server: string;

  beforeAll(async () => {
    server = testServer().url.replace("tester@", `${LOCKED_USER}@`);
    const owner = await connect(testServer().url, "test");
    await owner.run(`CREATE ROLE ${LOCKED_USER} LOGIN PASSWORD '${PASSWORD}'`);
    await owner.close();
    process.env["PGPASSFILE"] = file;
  });
  afterAll(() => {
    if (earlier === undefined) delete process.env["PGPASSFILE"];
    else process.env["PGPASSFILE"] = earlier;
    rmSync(directory, { recursive: true, force: true });
  });

  it("connects with the password of the password file, and logs nothing of it", async () => {
    const warnings: Error[] = [];
    const hear = (warning: Error): void => void warnings.push(warning);
    process.on("warning", hear);
    const written = PASSWORD.replaceAll("\\", "\\\\").replaceAll(":", "\\:");
    writeFileSync(file, `*:*:another:*:wrong\n*:*:*:${LOCKED_USER}:${written}\n`, { mode: 0o600 });
    const client = await connect(server, "test");
    expect(await client.rows("SELECT current_user::text")).toEqual([[LOCKED_USER]]);
    await client.close();
    // Warnings are emitted in a separate turn.
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", hear);
    expect(warnings).toEqual([]);
  });

  it("reports a missing or wrong password at once, and leaves no connection", async () => {
    const sockets = (): number => process.getActiveResourcesInfo().filter((name) => name === "PipeWrap").length;
    const before = sockets();
    for (const password of [null, "wrong"]) {
      rmSync(file, { force: true });
      if (password !== null) writeFileSync(file, `*:*:*:${LOCKED_USER}:${password}\n`, { mode: 0o600 });
      await expect(connect(server, "test")).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
      // Reconnecting to a server is not tested for minutes here.
      const steady = new ReconnectingClient({ server, name: "test", signal: new AbortController().signal });
      await expect(steady.ask(async () => undefined)).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
      await steady.close();
    }
    await expect.poll(sockets).toBe(before);
  });
});
