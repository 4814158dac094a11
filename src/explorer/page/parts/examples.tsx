/** What the service answers, for visitors without a key. */
import { examples } from '../model/examples.ts'
import { scoreText } from '../model/wording.ts'

export function Examples() {
  return (
    <section aria-labelledby="examples">
      <h2 id="examples">Three answers from the data that the service brings along</h2>
      <div class="examples">
        {examples.map(({ question, target, results }) => (
          <figure key={target} class="panel">
            <figcaption>
              <h3>{question}</h3>
              <code class="small muted">GET {target.replace(/&fields=.*/, '')}</code>
            </figcaption>
            <ol>
              {results.map(({ name, country_name: country, authority_score: score }, index) => (
                <li key={name}>
                  <span class="rank number">{index + 1}</span>
                  <span>
                    {name} <span class="muted small">{country}</span>
                  </span>
                  <span class="number" title="Authority score, of 100">
                    {scoreText(score)}
                  </span>
                </li>
              ))}
            </ol>
          </figure>
        ))}
      </div>
    </section>
  )
}
