const mostAttempts = 5;

/** Tries again after a lost race; false when others won each time. */
export const isCommitted = async (commit: () => Promise<boolean>): Promise<boolean> => {
  for (let made = 0; made < mostAttempts; made += 1) if (await commit()) return true;
  return false;
};
