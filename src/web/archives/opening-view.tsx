import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { OpeningWire } from "../../http/local-server/wire.ts";
import type { PhaseEventWire } from "../../http/upload-service/base/wire-uploads.ts";
import { useApplication } from "../application.ts";
import { addressOf, BASE_PATH, LOCAL_ARCHIVE } from "../shell/addresses.ts";
import { ARCHIVES_WORDS } from "../words/archives-words.ts";
import { WORDS } from "../words/words.ts";
import { ExtractionProgress } from "./extraction-progress.tsx";
import { advancePhase, type PhaseProgress, percentOf } from "./phase-pace.ts";

/** The archive that `archivetool open` is extracting: its progress, then the archive itself. */
export function OpeningView() {
  const { shell } = useApplication();
  const progress = useSignal<PhaseProgress | null>(null);
  const failure = useSignal("");
  useEffect(() => {
    const events = new EventSource(`${BASE_PATH}/agent-stream`);
    events.addEventListener("phase", ({ data }: MessageEvent<string>) => {
      const event = JSON.parse(data) as PhaseEventWire;
      progress.value = advancePhase(progress.peek() ?? undefined, event, performance.now());
    });
    events.addEventListener("upload", ({ data }: MessageEvent<string>) => {
      const { error } = JSON.parse(data) as OpeningWire;
      events.close();
      if (error === null) location.replace(addressOf("overview", { archive: LOCAL_ARCHIVE }));
      else failure.value = error.message;
    });
    // The stream ends without a last event if the program is stopped.
    events.onerror = () => {
      if (failure.peek() === "" && events.readyState !== EventSource.OPEN) failure.value = ARCHIVES_WORDS.stopped;
    };
    events.onopen = () => {
      failure.value = "";
    };
    return () => events.close();
  }, []);
  const name = shell.archive?.name ?? "";
  const share = progress.value === null ? null : percentOf(progress.value.event);
  const title = [...(share === null ? [] : [`${share}%`]), name, WORDS.product].join(" · ");
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <div class="page archives">
      <header class="archives-head">
        <h1>
          {WORDS.views.opening} <bdi>{name}</bdi>
        </h1>
      </header>
      {failure.value === "" ? (
        <div class="archive running">
          <div class="archive-state">
            <ExtractionProgress phase={null} progress={progress.value} />
          </div>
        </div>
      ) : (
        <p role="alert">
          {failure.value}. {ARCHIVES_WORDS.seeTerminal}
        </p>
      )}
    </div>
  );
}
