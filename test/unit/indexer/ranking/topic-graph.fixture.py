"""Reference values of the ranks within topics, computed by networkx, for topic-graph.test.ts.

Run as `python3 test/unit/indexer/ranking/topic-graph.fixture.py > test/unit/indexer/ranking/topic-graph.fixture.json`, then
`npx biome check --write .`. The graph comes from a fixed seed; a symmetric edge is two arcs, and repeated edges
add their weights. Of the topics the first is of many, the second of few, nobody endorses anybody in
the third, and the fourth has one member.
"""
import json
import math
import random
import sys

import networkx as nx

NODES = 48
TOPICS = [range(0, 40), range(3, 48, 5), [41, 44, 47], [7]]

random.seed(20261122)
edges = []
for source in range(40):
    for target in random.sample(range(NODES), random.randint(0, 6)):
        if target != source:
            edges.append([source, target, round(random.uniform(0.1, 4), 3), random.random() < 0.3])
edges = [edge for edge in edges if not {edge[0], edge[1]} <= set(TOPICS[2])]
edges += [edges[0], edges[1]]
followers = [
    0 if node % 5 == 0 else random.randint(1, 10 ** random.randint(1, 7)) for node in range(NODES)
]
prior = [1 + math.log(1 + count) for count in followers]

arcs = {}
for source, target, weight, symmetric in edges:
    for a, b in [(source, target), (target, source)][: 2 if symmetric else 1]:
        arcs[a, b] = arcs.get((a, b), 0) + weight

topics = []
for members in TOPICS:
    own = {node: round(random.choice([1, 1 / 2, 1 / 3, random.uniform(0.1, 3)]), 6) for node in members}
    graph = nx.DiGraph()
    graph.add_nodes_from(members)
    for (a, b), weight in arcs.items():
        if a in own and b in own:
            graph.add_edge(a, b, weight=weight * own[b])
    start = {node: own[node] * prior[node] for node in members}
    mass = nx.pagerank(
        graph, alpha=0.85, personalization=start, dangling=start, tol=1e-15, max_iter=1000
    )
    topics.append([{"node": node, "weight": own[node], "share": mass[node]} for node in members])

json.dump(
    {
        "provenance": f"networkx {nx.__version__} pagerank, alpha 0.85, tol 1e-15; made by topic-graph.fixture.py",
        "edgeFields": ["from", "to", "weight", "symmetric"],
        "edges": edges,
        "followers": followers,
        "topics": topics,
    },
    sys.stdout,
)
