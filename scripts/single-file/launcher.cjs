/**
 * The main script of the single file (CommonJS, as Node wants it there): it unpacks the program
 * and its native addons to a cache directory and runs them from there. The directory is named by
 * the hash of its content and put in place by a rename, so that it is whole or not there at all.
 */
'use strict'
const { mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } = require('node:fs')
const { createRequire } = require('node:module')
const { homedir, tmpdir } = require('node:os')
const { dirname, isAbsolute, join } = require('node:path')
const { getAsset, getRawAsset } = require('node:sea')
const { brotliDecompressSync } = require('node:zlib')

/** What was packed: a hash over everything, and the files with their sizes once unpacked. */
const { hash, files } = JSON.parse(getAsset('manifest.json', 'utf8'))

/** Where to unpack to, best first: what the environment says, the home, the temporary directory. */
function* cacheDirectories() {
  const { XDG_CACHE_HOME: cacheHome = '' } = process.env
  if (isAbsolute(cacheHome)) yield join(cacheHome, 'authority-index')
  if (isAbsolute(homedir())) yield join(homedir(), '.cache', 'authority-index')
  yield join(tmpdir(), `authority-index-${process.getuid()}`)
}

/** Nobody but this user and root may have been able to write what is about to be run. */
function isOurs(path) {
  const { uid, mode } = statSync(path)
  return (uid === 0 || uid === process.getuid()) && (mode & 0o022) === 0
}

function isWhole(directory) {
  try {
    return (
      isOurs(dirname(directory)) &&
      isOurs(directory) &&
      files.every(({ name, bytes }) => statSync(join(directory, name)).size === bytes)
    )
  } catch {
    return false
  }
}

function unpack(directory) {
  const parent = dirname(directory)
  mkdirSync(parent, { recursive: true, mode: 0o700 })
  if (!isOurs(parent)) throw new Error(`${parent} can be written by others`)
  const unpacked = mkdtempSync(`${directory}.`)
  try {
    for (const { name } of files) {
      const path = join(unpacked, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, brotliDecompressSync(getRawAsset(name)), { flush: true })
    }
    put(unpacked, directory)
  } finally {
    rmSync(unpacked, { recursive: true, force: true })
  }
}

/** Another process may have put the same there meanwhile; what is there but damaged is replaced. */
function put(unpacked, directory) {
  try {
    renameSync(unpacked, directory)
  } catch (error) {
    if (isWhole(directory)) return
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    rmSync(directory, { recursive: true, force: true })
    renameSync(unpacked, directory)
  }
}

function unpackedDirectory() {
  const reasons = []
  for (const parent of cacheDirectories()) {
    const directory = join(parent, hash)
    try {
      if (!isWhole(directory)) unpack(directory)
      return directory
    } catch (error) {
      reasons.push(error.message)
    }
  }
  process.stderr.write(`nowhere to unpack to; set XDG_CACHE_HOME: ${reasons.join('; ')}\n`)
  process.exit(1)
}

createRequire(join(unpackedDirectory(), 'start.cjs'))('./start.cjs')
