import { copyShared, type LineBuffer } from "./lines.ts";

/** Memory outside the heap, which the images of rows fill one behind the other. None changes while a row lies in it. */
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

/** The slabs of a store by number. One in which no row lies any more is forgotten; number and memory serve again. */
export interface Slabs {
  readonly all: (Slab | null)[];
  readonly free: number[];
  readonly spare: Buffer[];
  current: Slab;
  /** Where the draft begins in the current slab: what is put together there and may be dropped again. */
  draftAt: number;
}

const slabBytes = 1 << 20;

/** A larger image has a slab of its own, so that little is lost at the end of a slab. */
const largeBytes = slabBytes >>> 4;

/** Number of a slab that holds no row's image. */
const noNumber = -1;

export const looseSlab = (bytes: Buffer): Slab => ({ bytes, length: bytes.length, number: noNumber, live: 0 });

/**
 * Memory of a slab. It is shared memory, though nobody shares it, because other memory counts as the heap's own: every
 * 64 MB more of it would make the collector mark the whole heap, in which nothing has died.
 */
const takeMemory = ({ spare }: Slabs, bytes: number): Buffer =>
  bytes === slabBytes ? (spare.pop() ?? Buffer.from(new SharedArrayBuffer(bytes))) : Buffer.allocUnsafeSlow(bytes);

const openSlab = (slabs: Slabs, bytes: number): Slab => {
  const { all, free } = slabs;
  const number = free.pop() ?? all.length;
  const slab = { bytes: takeMemory(slabs, bytes), length: 0, number, live: 0 };
  all[number] = slab;
  return slab;
};

export const openSlabs = (): Slabs => ({
  all: [],
  free: [],
  spare: [],
  current: looseSlab(Buffer.alloc(0)),
  draftAt: 0,
});

const forgetEmpty = ({ all, free, spare, current }: Slabs, slab: Slab): void => {
  if (slab.live > 0 || slab === current || slab.number === noNumber) return;
  all[slab.number] = null;
  free.push(slab.number);
  if (slab.bytes.length === slabBytes) spare.push(slab.bytes);
};

/** Goes on in a new slab, with room for so many bytes at least. */
const goOn = (slabs: Slabs, bytes: number): Slab => {
  const { current: before } = slabs;
  slabs.current = openSlab(slabs, Math.max(slabBytes, bytes));
  forgetEmpty(slabs, before);
  return slabs.current;
};

const roomFor = (slabs: Slabs, bytes: number): Slab => {
  const { current } = slabs;
  if (current.length + bytes <= current.bytes.length) return current;
  return bytes > largeBytes ? openSlab(slabs, bytes) : goOn(slabs, bytes);
};

/** Begins a draft; images in it are kept where they are written. */
export const beginDraft = (slabs: Slabs): void => {
  slabs.draftAt = slabs.current.length;
};

/** The bytes of the draft; valid until it is dropped or the next one is begun. */
export const draftBytes = ({ current, draftAt }: Slabs): Buffer => current.bytes.subarray(draftAt, current.length);

const mostBytesPerUnit = 3;

/** Puts a text as UTF-8 in the draft, behind what the current slab holds or in a new one. Returns its bytes. */
export const addDraft = (slabs: Slabs, text: string): Buffer => {
  const room = slabs.current.bytes.length - slabs.current.length;
  const bytes = text.length * mostBytesPerUnit > room ? Buffer.byteLength(text) : 0;
  if (bytes > room) slabs.draftAt = goOn(slabs, bytes).length;
  const { current } = slabs;
  current.length += current.bytes.write(text, current.length);
  return draftBytes(slabs);
};

/** Gives the draft up, so that the next one takes its place. */
export const dropDraft = (slabs: Slabs): void => {
  slabs.current.length = slabs.draftAt;
};

/** Keeps the draft with the images in it. */
export const keepDraft = ({ current }: Slabs, images: readonly Image[]): void => {
  for (const { start, end } of images) current.live += end - start;
};

/** Copies an image into the slabs and lets it point there. */
export const keepImage = (slabs: Slabs, image: Image): void => {
  const { slab, start, end } = image;
  const bytes = end - start;
  const target = roomFor(slabs, bytes);
  image.slab = target;
  image.start = target.length;
  target.length += copyShared(slab.bytes.subarray(start, end), target.bytes, target.length);
  target.live += bytes;
  image.end = target.length;
};

/** Gives a kept image up; others may take its place. */
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
