import { createProgram } from "../../src/cli/program.ts";
import { ConsoleLog } from "../../src/cli/terminal/console-log.ts";
import { ArchiveError, exitCodeOf } from "../../src/errors.ts";
import type { CliResult } from "./cli.ts";

/**
 * Runs a command of the sources in this thread, which takes a tenth of the CPU of starting the program. For commands
 * that read an archive; the program itself is tested elsewhere.
 */
export async function command(...args: readonly string[]): Promise<CliResult> {
  let stdout = "";
  let stderr = "";
  const writeError = (text: string): void => void (stderr += text);
  const program = await createProgram({
    signal: new AbortController().signal,
    print: (line) => void (stdout += `${line}\n`),
    printBytes: (bytes) => {
      stdout += bytes.toString();
      return true;
    },
    writeError,
  });
  try {
    return { exitCode: await program.run(args), stdout, stderr };
  } catch (error) {
    new ConsoleLog("info", writeError, false).error(error);
    return { exitCode: error instanceof ArchiveError ? exitCodeOf(error.code) : 1, stdout, stderr };
  }
}
