/** A number with its name, in a list of figures (`dl`). */
export function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dd class="number">{value}</dd>
      <dt>{name}</dt>
    </div>
  )
}
