import { lineBuffer, type LineBuffer } from "./lines.ts";

/** Memory outside the heap, which the images of rows fill one behind the other. What was written is never changed. */
export interface Slab extends LineBuffer {
  readonly number: number;
  /** Bytes of the images that are still a row's. */
  live: number;
}

/** Where a row lies as JSON: its members without braces, the body last. */
export interface Image {
  slab: Slab;
  start: number;
  end: number;
}

/** The slabs of a store by number. One in which no row lies any more is forgotten, and its number given out again. */
export interface Slabs {
  readonly all: (Slab | null)[];
  readonly free: number[];
  current: Slab;
  /** Where images are put together; one that is not kept is gone with the next. */
  readonly draft: Slab;
}

const slabBytes = 1 << 20;

/** A larger image has a slab of its own, so that little is lost at the end of a slab. */
const largeBytes = slabBytes >>> 4;

/** Number of a slab that holds no row's image. */
const noNumber = -1;

export const looseSlab = (buffer: LineBuffer): Slab => ({ ...buffer, number: noNumber, live: 0 });

const openSlab = ({ all, free }: Slabs, bytes: number): Slab => {
  const number = free.pop() ?? all.length;
  const slab = { bytes: Buffer.allocUnsafeSlow(bytes), length: 0, number, live: 0 };
  all[number] = slab;
  return slab;
};

export const openSlabs = (): Slabs => ({
  all: [],
  free: [],
  current: looseSlab({ bytes: Buffer.alloc(0), length: 0 }),
  draft: looseSlab(lineBuffer()),
});

const forgetEmpty = ({ all, free, current }: Slabs, slab: Slab): void => {
  if (slab.live > 0 || slab === current || slab.number === noNumber) return;
  all[slab.number] = null;
  free.push(slab.number);
};

const roomFor = (slabs: Slabs, bytes: number): Slab => {
  const { current } = slabs;
  if (current.length + bytes <= current.bytes.length) return current;
  if (bytes > largeBytes) return openSlab(slabs, bytes);
  slabs.current = openSlab(slabs, slabBytes);
  forgetEmpty(slabs, current);
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

/** Gives a kept image up; its bytes stay readable for whoever still has its slab. */
export const dropImage = (slabs: Slabs, { slab, start, end }: Image): void => {
  slab.live -= end - start;
  forgetEmpty(slabs, slab);
};

/** Moves an image out of a slab that is mostly dead, so that this one soon has no rows. Returns whether it moved. */
export const leaveSparse = (slabs: Slabs, image: Image): boolean => {
  const { slab, start, end } = image;
  if (slab === slabs.current || slab.live * 2 >= slab.bytes.length) return false;
  keepImage(slabs, image);
  dropImage(slabs, { slab, start, end });
  return true;
};
