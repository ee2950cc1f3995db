import type { FollowState } from "../wire/wire-corrections.ts";

/**
 * Makes an archive follow its corrections while it is served: one run at a time. Corrections that come while one runs
 * are followed together by the next.
 */
export class CorrectionFollower {
  private readonly apply: () => Promise<void>;
  private running: Promise<void> | null = null;
  private isWanted = false;
  private hasFailed = false;

  /** @param apply makes the archive follow all corrections there are, and shows the result; logs why it cannot */
  constructor(apply: () => Promise<void>) {
    this.apply = apply;
  }

  get state(): FollowState {
    if (this.running !== null) return "applying";
    return this.hasFailed ? "failed" : "current";
  }

  /** To be called after a correction was stored. */
  follow(): void {
    this.isWanted = true;
    this.running ??= this.run().finally(() => {
      this.running = null;
    });
  }

  /** Resolves when nothing is left to follow. */
  async ended(): Promise<void> {
    await this.running;
  }

  private async run(): Promise<void> {
    while (this.isWanted) {
      this.isWanted = false;
      this.hasFailed = await this.apply().then(
        () => false,
        () => true,
      );
    }
  }
}
