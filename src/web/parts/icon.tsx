/** Drawings on a grid of 24, by stroke. */
const DRAWINGS = {
  search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM15.5 15.5 20 20",
  overview: "M4 11.5 12 4l8 7.5M6 10v9.5h12V10M10 19.5v-5h4v5",
  people:
    "M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 19.5c.4-3.4 3-5.5 6.5-5.5s6.1 2.1 6.5 5.5M15.5 4.8a3.5 3.5 0 0 1 0 6.4M18 14.5c2 .8 3.3 2.5 3.5 5",
  topics: "M5 9h14M5 15h14M10 4 8 20M16 4l-2 16",
  calendar: "M5 6h14v14H5zM5 10.5h14M9 3.5V7M15 3.5V7",
  files: "M7 3.5h7l4 4V20.5H7zM14 3.5v4h4M10 13h5M10 16.5h5",
  mailboxes: "M3.5 13.5 6.5 5h11l3 8.5V19.5h-17zM3.5 13.5h5l1.5 2.5h4l1.5-2.5h5",
  graph:
    "M6 8.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM18 11.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM9 20.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM8.4 6.6l7.2 1.8M6.7 8.4l1.7 7.1M16.4 11l-5.7 5.3",
  notebook: "M6 3.5h12v17H6zM9.5 3.5v17M12.5 8h3M12.5 11.5h3",
  items: "M4.5 4.5h15v15h-15zM8 9l1.5 1.5L12 8M14 9.5h3M8 14.5l1.5 1.5L12 13.5M14 15h3",
  hits: "M5 6h9M5 11h9M5 16h9M18.5 6h.01M18.5 11h.01M18.5 16h.01",
  about: "M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17ZM12 11v5.5M12 7.5v.01",
  archives: "M4 5h16v4H4zM5.5 9v10.5h13V9M10 13h4",
  help: "M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17ZM9.7 9.5a2.4 2.4 0 1 1 3.5 2.2c-.8.4-1.2.9-1.2 1.8M12 16.8v.01",
  sun: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4",
  moon: "M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10Z",
  system: "M4 5h16v11H4zM9 20h6M12 16v4",
  close: "M6 6l12 12M18 6 6 18",
  minus: "M6 12h12",
  link: "M10 14a4 4 0 0 0 6 .4l2.6-2.6a4 4 0 0 0-5.6-5.6L11.7 7.5M14 10a4 4 0 0 0-6-.4l-2.6 2.6a4 4 0 0 0 5.6 5.6l1.3-1.3",
  filter: "M4 6h16M7 12h10M10 18h4",
  attachment: "M19 11.5 12 18.5a4.5 4.5 0 0 1-6.4-6.4l7.5-7.5a3 3 0 0 1 4.3 4.3l-7.3 7.2a1.5 1.5 0 0 1-2.1-2.1l6.5-6.5",
  copies: "M8.5 8.5h11v11h-11zM15.5 8.5v-4h-11v11h4",
  conversation: "M4 5h12v8.5H9L5.5 16.5v-3H4zM19 9.5h1v8h-1.5v2.5L15.5 17.5H10",
  back: "M14.5 5.5 8 12l6.5 6.5",
  forward: "M9.5 5.5 16 12l-6.5 6.5",
  down: "M5.5 9.5 12 16l6.5-6.5",
  more: "M4.8 12a.7.7 0 1 0 1.4 0a.7.7 0 1 0-1.4 0M11.3 12a.7.7 0 1 0 1.4 0a.7.7 0 1 0-1.4 0M17.8 12a.7.7 0 1 0 1.4 0a.7.7 0 1 0-1.4 0",
  save: "M12 4v11M7.5 10.5 12 15l4.5-4.5M5 19.5h14",
  print: "M7 8V3.5h10V8M7 17H4.5V8.5h15V17H17M7 14h10v6.5H7z",
  tree: "M6 4v13.5h5M6 9.5h5M13.5 8h6v3h-6zM13.5 16h6v3h-6z",
  monospaced: "M4.5 6h15v12h-15zM8 10l2.5 2L8 14M12.5 14.5h4",
  tag: "M4 4h8l8.5 8.5-8 8L4 12zM8 8v.01",
  upload: "M12 16V5M7.5 9.5 12 5l4.5 4.5M5 19.5h14",
  pause: "M9 6v12M15 6v12",
  play: "M8 5.5v13l10-6.5z",
  remove: "M5 7h14M9.5 7V4.5h5V7M7 7l1 12.5h8L17 7M10.5 10.5v5.5M13.5 10.5v5.5",
  columns: "M4 5h16v14H4zM9.5 5v14M15 5v14",
  check: "M5 12.5 10 17.5 19.5 7",
  warning: "M12 4.5 21 19.5H3zM12 10.5v4M12 17v.01",
} as const;

export type IconName = keyof typeof DRAWINGS;

/** An icon next to words, or with a label for screen readers. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={DRAWINGS[name]} />
    </svg>
  );
}

interface IconButtonProps {
  readonly icon: IconName;
  /** Tooltip, and label for screen readers. */
  readonly name: string;
  readonly class?: string;
  readonly disabled?: boolean;
  readonly "aria-pressed"?: boolean;
  readonly "aria-expanded"?: boolean;
  readonly onClick: (event: MouseEvent) => void;
}

/** A button with only an icon. */
export function IconButton({ icon, name, ...rest }: IconButtonProps) {
  return (
    <button type="button" class="tool" aria-label={name} title={name} {...rest}>
      <Icon name={icon} />
    </button>
  );
}
