/**
 * Loaded before the program (`node --import`): makes this Node one that no build of uWebSockets.js
 * fits, unless NODE_FITS says that it was started in the place of another.
 */
const dlopen = process.dlopen
if (process.env.NODE_FITS === undefined) {
  process.dlopen = (module, file, ...rest) => {
    if (/uws_[^/]*\.node$/.test(file)) throw new Error(`${file} was compiled for another Node`)
    return dlopen.call(process, module, file, ...rest)
  }
}
