import { useSignal } from "@preact/signals";
import type { FileWire } from "../../http/explore-api/wire/wire-messages.ts";
import type { ItemFileState } from "../../http/explore-api/wire/wire-originals.ts";
import type { ItemFileWire } from "../../http/explore-api/wire/wire-tables.ts";
import { apiOf, useApi, useApplication, useRoute } from "../application.ts";
import { ORIGINAL_LINK } from "../frame/original-links.ts";
import { useAnswer } from "../shell/use-answer.ts";
import { number as counted } from "../words/nouns.ts";
import { ORIGINALS_WORDS } from "../words/originals-words.ts";
import { WORDS } from "../words/words.ts";
import { sizeOf } from "./formats.ts";
import { Icon } from "./icon.tsx";

/** A file of a message, event or item, with its availability if known. */
type ShownFile = (FileWire | ItemFileWire) & { readonly availability?: ItemFileState | null };

interface FileCardsProps {
  /** Path of the parent of the files: `/messages/msg-000001`. */
  readonly of: string;
  readonly files: readonly ShownFile[];
}

/** Files of an entity, to be opened or saved. */
export function FileCards({ of, files }: FileCardsProps) {
  if (files.length === 0) return null;
  return (
    <ul class="attached" aria-label={counted(files.length, "file")}>
      {files.map((file) => (
        <li key={file.number}>
          <FileCard of={of} file={file} />
        </li>
      ))}
    </ul>
  );
}

/** The same for an event or item; loads the availability. */
export function ItemFileCards({ of, files }: FileCardsProps) {
  const path = useApi()(of);
  const { data } = useAnswer<{ readonly attachments: readonly ShownFile[] }>(files.length === 0 ? null : path);
  return <FileCards of={of} files={data?.attachments ?? files} />;
}

/** Types that the server sends inline; others are downloads. */
const SHOWN_TYPES: readonly string[] = ["image", "pdf"];
const SHOWN_TEXTS: readonly string[] = ["text/plain", "text/csv", "text/tab-separated-values"];

function FileCard({ of, file }: { readonly of: string; readonly file: ShownFile }) {
  const { shell } = useApplication();
  const { archive } = useRoute();
  const isImageThere = useSignal(true);
  const { number, type, filename, media_type, size_bytes, sha256, link_target: linkTarget, availability } = file;
  // The target of a link is shown as text, because it comes from mail.
  if (linkTarget !== undefined)
    return (
      <span class="card" title={`${filename} · ${media_type} · ${linkTarget}`}>
        <Icon name="files" />
        <bdi>{filename}</bdi>
        <bdi class="quiet">
          {WORDS.message.linkTo} {linkTarget}
        </bdi>
      </span>
    );
  const path = `${apiOf(shell, archive)}${of}/attachments/${number}`;
  const isShown = SHOWN_TYPES.includes(type) || SHOWN_TEXTS.includes(media_type);
  const target = isShown ? { target: "_blank", rel: "noreferrer noopener" } : { download: "" };
  return (
    <a
      class="card"
      title={`${filename} · ${media_type} · ${WORDS.sha256} ${sha256}`}
      href={path}
      {...target}
      {...ORIGINAL_LINK}
    >
      {type === "image" && isImageThere.value ? (
        <img
          class="thumbnail"
          src={path}
          alt=""
          loading="lazy"
          onError={() => {
            isImageThere.value = false;
          }}
        />
      ) : (
        <Icon name="files" />
      )}
      <bdi>{filename}</bdi>
      <span class="quiet">
        {sizeOf(size_bytes)}
        {"attached_message" in file && file.attached_message !== undefined
          ? ` · ${WORDS.message.inMessage} ${file.attached_message}`
          : ""}
        {availability == null ? "" : ` · ${ORIGINALS_WORDS.fileStates[availability]}`}
      </span>
    </a>
  );
}
