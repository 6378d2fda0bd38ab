/** What the rules read of a `package-lock.json`. */
export interface LockFile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Where Node would look for a package from a place in the tree, nearest first. */
const placesOf = (name: string, from: string): string[] => {
  const places: string[] = [];
  for (let folder = from; ;) {
    places.push(`${folder === "" ? "" : `${folder}/`}node_modules/${name}`);
    if (folder === "") return places;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")));
  }
};

/**
 * Why `npm ci` would refuse a lock, or could not check what it installs: npm leaves platform packages out of a lock
 * without a word where the registry does not have them yet, and `npm ci` then refuses it on every platform.
 */
export const lockProblems = ({ packages }: LockFile): string[] => {
  const problems: string[] = [];
  for (const [place, { resolved, integrity, dependencies, optionalDependencies }] of Object.entries(packages)) {
    if (resolved !== undefined) problems.push(`${place}: has a download address`);
    if (place !== "" && integrity === undefined) problems.push(`${place}: has no checksum`);
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const isLocked = placesOf(name, place).some((one) => one in packages);
      if (!isLocked) problems.push(`${place}: ${name} is not in the lock; take a release whose packages are all there`);
    }
  }
  return problems;
};
