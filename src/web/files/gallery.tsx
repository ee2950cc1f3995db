import { useSignal } from "@preact/signals";
import { apiOf, useAddress, useApplication, useRoute } from "../application.ts";
import { ORIGINAL_LINK } from "../frame/original-links.ts";
import { fileTypeName, sizeOf } from "../parts/formats.ts";
import { Icon } from "../parts/icon.tsx";
import { SearchLink } from "../parts/search-link.tsx";
import { noun } from "../words/nouns.ts";
import { TABLE_WORDS } from "../words/table-words.ts";
import { WORDS } from "../words/words.ts";
import { type FilePage, fileClause, type ListedFile } from "./listed-file.ts";

/** Image types that browsers display; larger images are opened, not previewed. */
const DRAWN = /^image\/(?:png|jpeg|gif|webp|bmp)$/;
const MAX_DRAWN_BYTES = 4_000_000;

/** URL of a file, through its first message. */
function useFileAddress(): (file: ListedFile) => string {
  const { shell } = useApplication();
  const { archive } = useRoute();
  return ({ message_id: id, number }) =>
    `${apiOf(shell, archive)}/messages/${encodeURIComponent(id)}/attachments/${number}`;
}

interface FileLinkProps {
  readonly file: ListedFile;
}

/** Name of a file, as a link that opens or saves it. */
export function FileLink({ file }: FileLinkProps) {
  const fileAddress = useFileAddress();
  const name = <bdi>{file.filename === "" ? TABLE_WORDS.files.unnamed : file.filename}</bdi>;
  return (
    <a class="path" href={fileAddress(file)} target="_blank" rel="noreferrer" {...ORIGINAL_LINK}>
      {name}
    </a>
  );
}

/** Saves a file instead of opening it. */
function SaveLink({ file }: FileLinkProps) {
  const fileAddress = useFileAddress();
  const text = TABLE_WORDS.files.save(file.filename === "" ? TABLE_WORDS.files.unnamed : file.filename);
  return (
    <a class="tool" href={fileAddress(file)} download={file.filename} aria-label={text} title={text} {...ORIGINAL_LINK}>
      <Icon name="save" />
    </a>
  );
}

/** Files as cards: pictures as thumbnails, others by type. */
export function Gallery({ page }: { readonly page: FilePage }) {
  const address = useAddress();
  return (
    <ul class="gallery" aria-label={WORDS.views.files}>
      {page.files.map((file) => (
        <li key={file.sha256}>
          <Picture file={file} />
          <div class="line">
            <FileLink file={file} />
            <SaveLink file={file} />
          </div>
          <p class="count">
            {fileTypeName(file.type)} · {sizeOf(file.size_bytes)} ·{" "}
            <SearchLink clause={fileClause(file.sha256)} count={file.messages} /> {noun(file.messages, "message")}
          </p>
          <p class="count">
            {TABLE_WORDS.files.first}{" "}
            <a href={address("message", { id: file.message_id })}>
              <bdi>{file.subject === "" ? WORDS.noSubject : file.subject}</bdi>
            </a>
          </p>
        </li>
      ))}
    </ul>
  );
}

function Picture({ file }: FileLinkProps) {
  const fileAddress = useFileAddress();
  const isBroken = useSignal(false);
  const isDrawn = !isBroken.value && DRAWN.test(file.media_type) && file.size_bytes <= MAX_DRAWN_BYTES;
  return (
    <div class="picture">
      {isDrawn ? (
        <img
          src={fileAddress(file)}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => {
            isBroken.value = true;
          }}
        />
      ) : (
        <Icon name={file.type === "calendar" ? "calendar" : file.type === "archive" ? "archives" : "files"} />
      )}
    </div>
  );
}
