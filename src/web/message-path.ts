/** What is asked of a message to show it: nobody waits for its source to be looked at until its details are opened. */
export function messagePath(id: string): string {
  return `/messages/${encodeURIComponent(id)}?availability=left_out`;
}
