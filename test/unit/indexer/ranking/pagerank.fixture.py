"""Reference values of PageRank, computed by networkx, for pagerank.test.ts.

Run as `python3 test/unit/indexer/ranking/pagerank.fixture.py > test/unit/indexer/ranking/pagerank.fixture.json`, then
`npx biome check --write .`. The graph comes from a fixed seed; a symmetric edge is two arcs, and repeated
edges add their weights.
"""
import json
import math
import random
import sys

import networkx as nx

NODES = 32
DANGLING = {4, 11, 23, 30, 31}

random.seed(20261101)
edges = []
for source in range(NODES):
    if source in DANGLING:
        continue
    for target in random.sample(range(NODES), random.randint(1, 5)):
        if target != source:
            edges.append([source, target, round(random.uniform(0.1, 4), 3), False])
connected = [node for node in range(NODES) if node not in DANGLING]
for _ in range(12):
    a, b = random.sample(connected, 2)
    edges.append([a, b, round(random.uniform(0.1, 4), 3), True])
edges.append(edges[0])

# Node 31 has no edge at all; the others differ widely in followers.
edges = [edge for edge in edges if 31 not in edge[:2]]
followers = [
    0 if node % 5 == 0 else random.randint(1, 10 ** random.randint(1, 7)) for node in range(NODES)
]

graph = nx.DiGraph()
graph.add_nodes_from(range(NODES))
for source, target, weight, symmetric in edges:
    for a, b in [(source, target), (target, source)][: 2 if symmetric else 1]:
        before = graph.get_edge_data(a, b, {"weight": 0})["weight"]
        graph.add_edge(a, b, weight=before + weight)

prior = [1 + math.log(1 + count) for count in followers]
prior = {node: value / sum(prior) for node, value in enumerate(prior)}
mass = nx.pagerank(
    graph, alpha=0.85, personalization=prior, dangling=prior, tol=1e-14, max_iter=1000
)

json.dump(
    {
        "provenance": f"networkx {nx.__version__} pagerank, alpha 0.85, tol 1e-14; made by pagerank.fixture.py",
        "edgeFields": ["from", "to", "weight", "symmetric"],
        "edges": edges,
        "followers": followers,
        "prior": [prior[node] for node in range(NODES)],
        "mass": [mass[node] for node in range(NODES)],
    },
    sys.stdout,
)
