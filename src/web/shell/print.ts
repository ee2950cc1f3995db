/** Milliseconds between checks whether everything is ready to print. */
const LOOK_MS = 100;

/** Prints an element once everything in it has loaded. */
export function printElement(element: HTMLElement): void {
  const look = (): void => {
    const isWaiting = element.querySelector(".bone, .skeleton, [data-waits]") !== null;
    if (isWaiting) setTimeout(look, LOOK_MS);
    else print();
  };
  setTimeout(look, LOOK_MS);
}
