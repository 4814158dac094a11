/**
 * Loaded before the program (`node --import`): makes this Node one that no build of uWebSockets.js
 * fits, unless it was started in the place of another (by a link to it). It can replace itself, or pretends to;
 * WITHOUT_EXECVE makes it one that cannot.
 */
const dlopen = process.dlopen
process.execve ??= () => {
  throw new Error('this Node has no execve')
}
if (process.env.WITHOUT_EXECVE !== undefined) process.execve = undefined
if (process.argv0 === process.execPath) {
  process.dlopen = (module, file, ...rest) => {
    if (/uws_[^/]*\.node$/.test(file)) throw new Error(`${file} was compiled for another Node`)
    return dlopen.call(process, module, file, ...rest)
  }
}
