import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { UploadWire } from "../../http/upload-service/base/wire-uploads.ts";
import type { PermissionsWire } from "../../http/upload-service/service/wire-access.ts";
import { useApplication } from "../application.ts";
import { ThemeTool } from "../frame/theme-tool.tsx";
import { CopyLinkButton } from "../parts/copy-link-button.tsx";
import { counted } from "../parts/formats.ts";
import { Lazy } from "../parts/lazy.tsx";
import { EmptyState, Skeleton } from "../parts/states.tsx";
import { BASE_PATH } from "../shell/addresses.ts";
import { ARCHIVES_WORDS } from "../words/archives-words.ts";
import { WORDS } from "../words/words.ts";
import { ArchiveRow } from "./archive-row.tsx";
import { type PhaseProgress, percentOf } from "./phase-pace.ts";
import { SendingList } from "./sending-list.tsx";
import { UploadList } from "./upload-list.ts";
import { UploadManager } from "./upload-manager.ts";

/** The archives of a service: uploads, their status, and links. */
export function ArchivesView() {
  const { answers, shell, desk: held } = useApplication();
  const list = useMemo(() => new UploadList(answers), []);
  const desk = useMemo(() => (held.value = held.peek() ?? new UploadManager(answers)), []);
  const isSignedOut = answers.isSignedOut.value;
  useEffect(() => (isSignedOut ? undefined : list.open()), [isSignedOut]);
  const uploads = list.uploads.value;
  const permissions = list.permissions.value;
  // Without tokens, everybody may upload, so there is no need to wait.
  const mayUpload = permissions === null ? !shell.needsToken : permissions.may_upload;
  const phases = list.phases.value;
  const completed = uploads?.filter(({ status }) => status === "completed").length ?? 0;
  const title = [...sharesOf(uploads ?? [], phases), WORDS.views.archives, WORDS.product].join(" · ");
  useEffect(() => {
    document.title = title;
  }, [title]);
  const taken = async (replaced: readonly string[]): Promise<void> => {
    // Another user may have deleted it in the meantime.
    for (const id of replaced) await list.remove(id).catch(() => undefined);
    await list.look();
  };
  return (
    <div class="page archives">
      <header class="archives-head">
        <h1>{WORDS.product}</h1>
        <span class="archive-tools">
          {shell.needsToken ? <SignOut /> : null}
          <CopyLinkButton />
          <ThemeTool />
        </span>
      </header>
      {shell.intake === null || !mayUpload ? null : (
        <SendingList desk={desk} intake={shell.intake} onSent={(replaced) => void taken(replaced)} />
      )}
      <section aria-label={WORDS.views.archives}>
        <h2>
          {WORDS.views.archives} {uploads === null ? null : <span class="count">{counted(uploads.length)}</span>}
        </h2>
        {uploads === null ? <Skeleton rows={3} height={64} /> : null}
        {uploads?.length === 0 ? (
          <EmptyState title={ARCHIVES_WORDS.none}>
            <p>{mayUpload ? ARCHIVES_WORDS.noneHint : ARCHIVES_WORDS.noneGranted}</p>
          </EmptyState>
        ) : null}
        {completed < 2 ? null : (
          <Lazy load={() => import("./search-all.tsx")}>{({ SearchAll }) => <SearchAll completed={completed} />}</Lazy>
        )}
        {uploads === null ? null : <ArchiveNews uploads={uploads} phases={phases} />}
        <ul class="archive-list">
          {uploads?.map((upload) => (
            <ArchiveRow
              key={upload.upload_id}
              upload={upload}
              phase={phases.get(upload.upload_id) ?? null}
              mayUpload={mayUpload}
              onAgain={() => desk.again(upload.upload_id)}
              onChosenAgain={(files) => desk.choose(files, [upload.upload_id])}
              onRemove={mayDelete(permissions, upload.upload_id) ? () => list.remove(upload.upload_id) : null}
            />
          ))}
        </ul>
      </section>
    </div>
  );
}

/** Progress of running extractions, the oldest first. */
function sharesOf(uploads: readonly UploadWire[], phases: ReadonlyMap<string, PhaseProgress>): readonly string[] {
  return uploads
    .flatMap(({ status, upload_id: id }) => {
      const event = status === "running" ? phases.get(id)?.event : undefined;
      const share = event === undefined ? null : percentOf(event);
      return share === null ? [] : [`${share}%`];
    })
    .reverse();
}

function mayDelete(permissions: PermissionsWire | null, uploadId: string): boolean {
  return permissions !== null && (permissions.may_delete === "all" || permissions.may_delete.includes(uploadId));
}

function SignOut() {
  const { answers } = useApplication();
  const leave = async (): Promise<void> => {
    await answers.send(`${BASE_PATH}/session`, { method: "DELETE" });
    answers.signOut(false);
  };
  return (
    <button type="button" class="button" onClick={() => void leave()}>
      {WORDS.signIn.leave}
    </button>
  );
}

interface ArchiveNewsProps {
  readonly uploads: readonly UploadWire[];
  readonly phases: ReadonlyMap<string, PhaseProgress>;
}

/**
 * Announces changes to screen readers: a new phase, an end. Progress within a phase is only shown by its bar, because
 * it changes constantly.
 */
function ArchiveNews({ uploads, phases }: ArchiveNewsProps) {
  const before = useRef<ReadonlyMap<string, string> | null>(null);
  const announcement = useSignal("");
  const states = new Map(uploads.map((upload) => [upload.upload_id, stateOf(upload, phases)]));
  useEffect(() => {
    const news = uploads.filter(({ upload_id: id }) => before.current?.get(id) !== states.get(id));
    // Announces changes only, not the initial state.
    if (before.current !== null && news.length > 0)
      announcement.value = news.map(({ filename, upload_id: id }) => `${filename}: ${states.get(id)}`).join(". ");
    before.current = states;
  }, [uploads, phases]);
  return (
    <p class="visually-hidden" role="status">
      {announcement.value}
    </p>
  );
}

function stateOf({ upload_id, status, phase, error }: UploadWire, phases: ReadonlyMap<string, PhaseProgress>): string {
  if (error !== null) return error.message;
  if (status !== "running") return ARCHIVES_WORDS.states[status];
  const known = phases.get(upload_id)?.event.phase ?? phase;
  return known === null ? ARCHIVES_WORDS.starting : ARCHIVES_WORDS.phases[known];
}
