import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { UploadWire } from "../../http/upload-service/base/wire-uploads.ts";
import { ARCHIVES_WORDS } from "../words/archives-words.ts";
import type { PhaseProgress } from "./phase-pace.ts";

interface ArchiveNewsProps {
  readonly uploads: readonly UploadWire[];
  readonly phases: ReadonlyMap<string, PhaseProgress>;
}

/**
 * Announces changes to screen readers: a new phase, an end. Progress within a phase is only shown by its bar, because
 * it changes constantly.
 */
export function ArchiveNews({ uploads, phases }: ArchiveNewsProps) {
  const before = useRef<ReadonlyMap<string, string> | null>(null);
  const said = useSignal("");
  const states = new Map(uploads.map((upload) => [upload.upload_id, stateOf(upload, phases)]));
  useEffect(() => {
    const news = uploads.filter(({ upload_id: id }) => before.current?.get(id) !== states.get(id));
    // The initial state is not news.
    if (before.current !== null && news.length > 0)
      said.value = news.map(({ filename, upload_id: id }) => `${filename}: ${states.get(id)}`).join(". ");
    before.current = states;
  }, [uploads, phases]);
  return (
    <p class="visually-hidden" role="status">
      {said.value}
    </p>
  );
}

function stateOf({ upload_id, status, phase, error }: UploadWire, phases: ReadonlyMap<string, PhaseProgress>): string {
  if (error !== null) return error.message;
  if (status !== "running") return ARCHIVES_WORDS.states[status];
  const known = phases.get(upload_id)?.event.phase ?? phase;
  return known === null ? ARCHIVES_WORDS.starting : ARCHIVES_WORDS.phases[known];
}
