import { lineBuffer, type LineBuffer } from "./lines.ts";

/** Memory outside the heap, which the images of rows fill one behind the other. What was written is never changed. */
export interface Slab extends LineBuffer {
  /** Bytes of the images that are still a row's. */
  live: number;
}

/** Where a row lies as JSON: its members without braces, the body last. */
export interface Image {
  slab: Slab;
  start: number;
  end: number;
}

/** The slabs of a store. The full ones are known to the rows that lie in them alone: without these they are garbage. */
export interface Slabs {
  current: Slab;
  /** Where images are put together; one that is not kept is gone with the next. */
  readonly draft: Slab;
}

const slabBytes = 1 << 20;

/** A larger image has a slab of its own, so that little is lost at the end of a slab. */
const largeBytes = slabBytes >>> 4;

const openSlab = (bytes: number): Slab => ({ bytes: Buffer.allocUnsafeSlow(bytes), length: 0, live: 0 });

export const openSlabs = (): Slabs => ({ current: openSlab(0), draft: { ...lineBuffer(), live: 0 } });

const roomFor = (slabs: Slabs, bytes: number): Slab => {
  const { current } = slabs;
  if (current.length + bytes <= current.bytes.length) return current;
  if (bytes > largeBytes) return openSlab(bytes);
  slabs.current = openSlab(slabBytes);
  return slabs.current;
};

/** Copies an image into the slabs and lets it point there. */
export const keepImage = (slabs: Slabs, image: Image): void => {
  const { slab, start, end } = image;
  const bytes = end - start;
  const target = roomFor(slabs, bytes);
  slab.bytes.copy(target.bytes, target.length, start, end);
  image.slab = target;
  image.start = target.length;
  target.length += bytes;
  target.live += bytes;
  image.end = target.length;
};

/** Gives a kept image up; its bytes stay readable for whoever still points there. */
export const dropImage = ({ slab, start, end }: Image): void => {
  slab.live -= end - start;
};

/** Moves an image out of a slab that is mostly dead, so that this one soon has no rows and goes. */
export const leaveSparse = (slabs: Slabs, image: Image): void => {
  const { slab } = image;
  if (slab === slabs.current || slab.live * 2 >= slab.bytes.length) return;
  dropImage(image);
  keepImage(slabs, image);
};
