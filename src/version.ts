/** The version of the program, as package.json has it; a test holds them together. */
export const programVersion = '0.1.0'

/** The packages with native addons. The build bundles all others; these stand beside the program. */
export const nativePackages: readonly string[] = [
  '@btc-vision/uwebsockets.js@20.57.0',
  '@photostructure/sqlite@1.2.1',
  'uws-pack@20.0.8',
]
