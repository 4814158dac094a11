/** The sounds of words and their keys. */
import { describe, expect, it } from 'vitest'
import { soundKey, soundsOf } from '../../../../src/text/sound/sounds.ts'

describe('the sounds of a word', () => {
  // `x` is the sound of ship, `c` of chip, `j` of jam.
  it.each([
    ['tchaikovsky', 'caikovski', 'skfsk'],
    ['tschaikowski', 'xaikovski', 'skfsk'],
    ['schmidt', 'xmidt', 'smt'],
    ['shakespeare', 'xakespeare', 'skspr'],
    ['zhukov', 'jukov', 'sk'],
    ['phoebe', 'foebe', 'fp'],
    ['xavier', 'xavier', 'sfr'],
    ['max', 'maks', 'mks'],
    ['czerny', 'cerni', 'srn'],
    ['khrushchev', 'kruxev', 'krs'],
    ['jackson', 'jakson', 'sksn'],
    ['dzhugashvili', 'jugaxvili', 'sksfl'],
    ['ljubljana', 'liubliana', 'lpln'],
    ['loukas moore', 'lukas more', 'lks mr'],
    ['quinn', 'kuin', 'kn'],
    ['ввано', 'вано', 'вано'],
  ])('of %s are %s, its key %s', (word, sounds, key) => {
    expect(soundsOf(word)).toBe(sounds)
    expect(soundKey(soundsOf(word))).toBe(key)
  })

  it('are two where `ch` may be that of Bach or of chip, behind t and s that of chip', () => {
    expect([soundsOf('michael'), soundsOf('michael', true)]).toEqual(['micael', 'mikael'])
    expect([soundsOf('bach'), soundsOf('bach', true)]).toEqual(['bac', 'bak'])
    expect([soundsOf('tchekov', true), soundsOf('schubert', true)]).toEqual(['cekov', 'xubert'])
  })
})
