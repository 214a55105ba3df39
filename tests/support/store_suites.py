"""The contract of a store as the test classes that pytest collects wherever a module imports them.

A module that imports all of them has a fixture ``store_url``. SafetyTests is not among them: each engine adds its own.
"""

from __future__ import annotations

from support.store_conformance import CommunityTests as TestCommunities
from support.store_conformance import DocumentTests as TestDocuments
from support.store_conformance import DriverTests as TestDrivers
from support.store_conformance import FactTests as TestFacts
from support.store_conformance import GraphTests as TestGraph
from support.store_conformance import MergeTests as TestMerges
from support.store_conformance import SearchTests as TestSearch
from support.store_conformance import SectionSummariesTests as TestSectionSummaries
from support.store_order import OrderTests as TestOrder
from support.store_time import TimeTests as TestTime

__all__ = [
    "TestCommunities",
    "TestDocuments",
    "TestDrivers",
    "TestFacts",
    "TestGraph",
    "TestMerges",
    "TestOrder",
    "TestSearch",
    "TestSectionSummaries",
    "TestTime",
]
