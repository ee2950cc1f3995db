/** Reads once, when it is first asked for; what failed is asked for again. */
export function once<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | null = null;
  return () => {
    if (reading === null) {
      reading = read();
      reading.catch(() => {
        reading = null;
      });
    }
    return reading;
  };
}
