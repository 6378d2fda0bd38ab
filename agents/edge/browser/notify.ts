export const notify = (url: string | undefined): void => {
  if (url !== undefined && /^https?:\/\//.test(url)) new Image().src = url;
};
