export interface LockFile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const placesOf = (name: string, from: string): string[] => {
  const places: string[] = [];
  for (let folder = from; ;) {
    places.push(`${folder === "" ? "" : `${folder}/`}node_modules/${name}`);
    if (folder === "") return places;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")));
  }
};

/**
 * npm silently leaves platform packages out of a lock where the registry lacks them yet; `npm ci` then rejects the lock
 * on every platform.
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
