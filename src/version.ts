/** The version of the program, as package.json has it; a test holds them together. */
export const programVersion = '0.1.0'
